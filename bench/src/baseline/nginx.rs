//! `git http-backend` behind nginx, as git's own manual sets it up (git-http-backend(1)), streaming both ways.

use std::path::{Path, PathBuf};

use countersign_testkit::server::free_port;
use tokio::runtime::Runtime;

use crate::failure::Failure;
use crate::load::Target;
use crate::process::{Launch, Process, command};

/// A running nginx and its CGI runner, over one bare repository that anybody may push to.
pub(crate) struct Nginx {
    port: u16,
    _server: Process,
    _runner: Runner,
}

/// The CGI runner; it ends with this value.
struct Runner(std::process::Child);

impl Drop for Runner {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Nginx {
    /// Serves the repositories below `root`.
    pub(crate) fn start(runtime: &Runtime, root: &Path) -> Result<Self, Failure> {
        let port = free_port();
        let (socket, config) = (root.join("cgi.sock"), root.join("nginx.conf"));
        let runner = command(&program("fcgiwrap")?)
            .args(["-f", "-c", "4", "-s"])
            .arg(format!("unix:{}", socket.display()))
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .map_err(Failure::while_doing("start fcgiwrap"))?;
        let runner = Runner(runner);
        let text = written(port, root, &socket, &backend()?);
        std::fs::write(&config, text).map_err(Failure::while_doing("write the configuration of nginx"))?;
        let launch = Launch {
            program: program("nginx")?,
            arguments: vec!["-c".into(), config.into(), "-p".into(), root.into()],
            variables: Vec::new(),
        };
        let request = "GET /ready HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
        let ready = Target { port, request: request.as_bytes().to_vec().into(), expects: "ready".into() };
        Ok(Self { port, _server: Process::start(runtime, &launch, &ready)?, _runner: runner })
    }

    /// The address of a repository.
    pub(crate) fn url(&self, name: &str) -> String {
        format!("http://127.0.0.1:{}/{name}", self.port)
    }
}

/// nginx's own default would hold each push in a file before git sees it, and a clone likewise.
fn written(port: u16, root: &Path, socket: &Path, backend: &Path) -> String {
    let (root, socket, backend) = (root.display(), socket.display(), backend.display());
    let user = if rustix::process::geteuid().is_root() { "user root;\n" } else { "" };
    format!(
        "{user}daemon off;\npid {root}/nginx.pid;\nerror_log {root}/error.log;\nworker_processes 2;\nevents {{}}\nhttp {{\n\
         access_log off;\nclient_max_body_size 0;\nclient_body_temp_path {root}/body;\nproxy_temp_path {root}/proxy;\n\
         fastcgi_temp_path {root}/fastcgi;\nuwsgi_temp_path {root}/uwsgi;\nscgi_temp_path {root}/scgi;\nserver {{\n\
         listen 127.0.0.1:{port};\nlocation = /ready {{ return 200 ready; }}\nlocation / {{\n\
         fastcgi_pass unix:{socket};\nfastcgi_request_buffering off;\nfastcgi_buffering off;\n\
         fastcgi_param SCRIPT_FILENAME {backend};\nfastcgi_param GIT_PROJECT_ROOT {root};\n\
         fastcgi_param GIT_HTTP_EXPORT_ALL 1;\nfastcgi_param PATH_INFO $uri;\nfastcgi_param QUERY_STRING $query_string;\n\
         fastcgi_param REQUEST_METHOD $request_method;\nfastcgi_param CONTENT_TYPE $content_type;\n\
         fastcgi_param CONTENT_LENGTH $content_length;\nfastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding;\n\
         fastcgi_param GIT_PROTOCOL $http_git_protocol;\nfastcgi_param REMOTE_ADDR $remote_addr;\n}}\n}}\n}}\n"
    )
}

fn program(name: &str) -> Result<PathBuf, Failure> {
    let mut places = ["/usr/local/sbin", "/usr/sbin", "/usr/local/bin", "/usr/bin"].into_iter();
    let found = places.find_map(|place| Some(Path::new(place).join(name)).filter(|path| path.is_file()));
    found.ok_or_else(|| Failure::new(format!("there is no {name}; run scripts/setup-debian.sh bench")))
}

/// The CGI program of the git that the product runs.
fn backend() -> Result<PathBuf, Failure> {
    let output = command(Path::new("git")).arg("--exec-path").output();
    let output = output.map_err(Failure::while_doing("ask git where its programs are"))?;
    Ok(Path::new(String::from_utf8_lossy(&output.stdout).trim()).join("git-http-backend"))
}
