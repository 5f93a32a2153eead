//! Strangers for tests: names that lead where the test says, and https servers that answer as it says.

mod site;

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::resolver::{Lookup, Resolver};

pub use site::{Answer, Request, Site};

/// A public address whose connections a test may lead to a server of its own. Nothing is sent there.
pub const PUBLIC: &str = "93.184.216.34";

/// The internet as a test sees it: what it does not name is not there, and only what it routes can be reached.
#[derive(Debug, Default)]
pub struct Outside {
    scripts: Mutex<BTreeMap<String, Script>>,
    routes: Mutex<BTreeMap<IpAddr, SocketAddr>>,
    roots: Mutex<Vec<Vec<u8>>>,
}

/// What a name gives, in turn; the last one stays.
#[derive(Debug, Default)]
struct Script {
    answers: Vec<Vec<IpAddr>>,
    asked: usize,
    slow: Duration,
}

impl Outside {
    /// Nothing at all.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Lets a name lead to these addresses: the first list at the first question, and so on.
    pub fn name(&self, name: &str, answers: &[&[&str]]) {
        let answers = answers.iter().map(|list| list.iter().map(|text| address(text)).collect()).collect();
        self.scripts().insert(name.to_owned(), Script { answers, ..Script::default() });
    }

    /// Lets the answer for a name take this long.
    pub fn slow(&self, name: &str, wait: Duration) {
        self.scripts().entry(name.to_owned()).or_default().slow = wait;
    }

    /// Leads connections for a public address to a server of the test.
    pub fn lead(&self, from: &str, to: SocketAddr) {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner).insert(address(from), to);
    }

    /// Trusts this root certificate (DER).
    pub fn trust(&self, root: Vec<u8>) {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner).push(root);
    }

    /// Starts an https server for `name` at the public address `at`, which answers by `answer`.
    pub async fn site(
        &self,
        name: &str,
        at: &str,
        answer: impl Fn(&Request) -> Answer + Send + Sync + 'static,
    ) -> Site {
        let site = Site::start(name, answer).await;
        self.name(name, &[&[at]]);
        self.lead(at, site.address());
        self.trust(site.root().to_vec());
        site
    }

    /// The same outside for a server in another process, as text: [`Self::read`] takes it there.
    pub fn write(&self) -> String {
        let names: BTreeMap<String, Vec<Vec<IpAddr>>> =
            self.scripts().iter().map(|(name, script)| (name.clone(), script.answers.clone())).collect();
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner).clone();
        serde_json::json!({ "names": names, "routes": routes, "roots": roots }).to_string()
    }

    /// What [`Self::write`] told.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        #[derive(serde::Deserialize)]
        struct Told {
            names: BTreeMap<String, Vec<Vec<IpAddr>>>,
            routes: BTreeMap<IpAddr, SocketAddr>,
            roots: Vec<Vec<u8>>,
        }
        let told: Told = serde_json::from_str(text)?;
        let script = |answers| Script { answers, ..Script::default() };
        let scripts = told.names.into_iter().map(|(name, answers)| (name, script(answers))).collect();
        Ok(Self {
            scripts: Mutex::new(scripts),
            routes: Mutex::new(told.routes),
            roots: Mutex::new(told.roots),
        })
    }

    /// How often a name was asked for.
    pub fn asked(&self, name: &str) -> usize {
        self.scripts().get(name).map_or(0, |script| script.asked)
    }

    fn scripts(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Script>> {
        self.scripts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn address(text: &str) -> IpAddr {
    text.parse().unwrap_or_else(|_| panic!("{text} is no address"))
}

impl Resolver for Outside {
    fn lookup<'a>(&'a self, name: &'a str) -> Lookup<'a> {
        let mut scripts = self.scripts();
        let (answer, slow) = match scripts.get_mut(name) {
            Some(script) => {
                let answer = script.answers.get(script.asked).or(script.answers.last()).cloned();
                script.asked += 1;
                (answer, script.slow)
            }
            None => (None, Duration::ZERO),
        };
        Box::pin(async move {
            tokio::time::sleep(slow).await;
            answer.ok_or_else(|| std::io::Error::other("there is no such name"))
        })
    }

    fn route(&self, checked: SocketAddr) -> SocketAddr {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        // A port of this machine where nobody listens: a test never reaches the real internet.
        routes.get(&checked.ip()).copied().unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 1)))
    }

    fn roots(&self) -> Vec<Vec<u8>> {
        let roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if roots.is_empty() { vec![site::nobody()] } else { roots }
    }
}
