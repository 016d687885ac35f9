// The corpus alone over HTTP, without a board beside it, so that memory and event loop are its own:
// what the front does with what the query makes.
import { createServer } from 'node:http';
import { CorpusQuery, getCorpus } from '#core/contract/corpus.ts';
import { replyTo } from '#server/http/response/reply.ts';
import { sendStream } from '#server/http/response/stream.ts';
import { readCorpus } from '#server/board/corpus.ts';
import { openBoardStore } from './seed.mjs';

process.once('message', ({ dataDir }) => {
  const store = openBoardStore(dataDir);
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://127.0.0.1');
    const query = CorpusQuery.parse(Object.fromEntries(url.searchParams));
    const answer = replyTo(getCorpus, { pieces: readCorpus({ store }, query) }, { url });
    const failed = (error) => process.stderr.write(`${error.stack}\n`);
    const client = String(request.socket.remotePort);
    sendStream({ request, response, client, more: [], failed }, answer).catch(failed);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
