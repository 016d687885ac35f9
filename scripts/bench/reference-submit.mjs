// The reference of submit.mjs: the minimum for accepting an envelope. Plain node:http, JSON.parse, one signature
// check and one durable INSERT.
import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import { preAuthEncoding } from '#core/domain/signing/dsse.ts';

process.once('message', ({ path, keys }) => {
  const keyObjects = new Map(keys.map(({ keyid, jwk }) => [keyid, publicKeyOf(jwk)]));
  const insert = openTable(path);
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { payloadType, payload, signatures } = JSON.parse(body.toString());
    const [{ keyid, sig }] = signatures;
    const signed = preAuthEncoding(payloadType, Buffer.from(payload, 'base64'));
    const sound = verify(null, signed, keyObjects.get(keyid), Buffer.from(sig, 'base64'));
    if (sound) insert.run(body);
    const answer = JSON.stringify({ sound });
    response.writeHead(sound ? 201 : 422, {
      'Content-Type': 'application/json',
      'Content-Length': answer.length,
    });
    response.end(answer);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit());

function publicKeyOf(jwk) {
  return createPublicKey({ key: jwk, format: 'jwk' });
}

function openTable(path) {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE envelopes (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT');
  return db.prepare('INSERT INTO envelopes (body) VALUES (?)');
}
