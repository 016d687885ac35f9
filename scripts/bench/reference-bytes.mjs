// The reference of published.mjs: plain node:http that serves given bytes by address and encoding.
import { createServer } from 'node:http';

process.once('message', (replies) => {
  const server = createServer((request, response) => {
    const { type, bytes } = replies[request.url][request.headers['accept-encoding'] ?? 'identity'];
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length });
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit());
