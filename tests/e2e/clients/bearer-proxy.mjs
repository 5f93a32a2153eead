// Passes every request on to a server and adds a bearer token, for suites that can set no header.
//
// usage: node bearer-proxy.mjs TARGET BEARER; prints its own address. `Host` and `Origin` go through as they came.
import { createServer, request } from 'node:http';

const [target, bearer] = process.argv.slice(2);
const { hostname, port } = new URL(target);

const proxy = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${bearer}` };
  const onward = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
});
proxy.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${proxy.address().port}`));
