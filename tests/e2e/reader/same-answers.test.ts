/** Readers answer with the same bytes as the writer, at every public address. */
import { expect, test } from 'vitest';
import { answererOf } from '#core/contract/route-table.ts';
import { ROUTE_TABLE, addressesOf } from '#core/contract/routes.ts';
import { markdownPath, pageOfMarkdown } from '#core/contract/site-routes.ts';
import { boardPath, boardQuery } from '#core/domain/board/board-path.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { addContests } from '#tests/support/board/contests.ts';
import { type Members, aBoardOfModes, setProfile } from '#tests/support/http/modes.ts';
import { type RunningServer, eventually } from '#tests/support/http/server.ts';
import { PAGES, READS } from '#tests/support/http/surfaces.ts';
import {
  type Answer,
  type RunningReader,
  askAt,
  startReader,
} from '#tests/support/store/reader.ts';
import { startS3 } from '#tests/support/store/s3-server.ts';

const BOARDS = WINDOWS.flatMap((window) => METRIC_NAMES.map((metric) => ({ window, metric })));
const PICTURES = ['op-identified', 'op-pseudonymous'].flatMap((name) => [
  `/badge/${name}.svg?metric=snr`,
  `/shields/${name}.json`,
  `/cards/${name}.png`,
  `/cards/${name}/${daysAgo(1).slice(0, 4)}.png`,
]);

/** Addresses of every route that a reader answers, and everything that the tables of surfaces have. */
function addressesOn(members: Members): string[] {
  const ofRoutes = ROUTE_TABLE.routes
    .filter((route) => answererOf(route) !== 'writer')
    .flatMap(({ path }) => addressesOf(path));
  const boards = BOARDS.flatMap((board) => [
    boardPath(board) + boardQuery({ tool: 'claude-code' }),
    `/api/v1/leaderboard?${new URLSearchParams(board)}`,
  ]);
  const surfaces = Object.values({ ...READS, ...PAGES }).flatMap((surface) => {
    const { addresses = [], ofOperator = [] } = surface;
    const filled = ofOperator.flatMap((template) => {
      return Object.values(members).map(({ codename, submission }) => {
        return template.replace('{name}', codename).replace('{id}', submission);
      });
    });
    return [...addresses, ...filled];
  });
  const pages = [...ofRoutes, ...boards, ...surfaces, ...PICTURES];
  const markdown = pages.flatMap((page) => markdownPath(page) ?? []);
  return [...new Set([...pages, ...markdown])].filter(
    (address) => !/^\/(?:healthz|readyz)/.test(address),
  );
}

/** What changes with each request. */
const OWN = /^(?:date|x-request-id|connection|keep-alive|transfer-encoding|ratelimit.*)$/;

function comparable({ status, headers, bytes }: Answer) {
  const fields = Object.entries(headers).filter(([name]) => !OWN.test(name));
  // Errors contain the request ID.
  const body =
    status >= 400 ? String(bytes).replace(/urn:uuid:[\w-]+/, '') : bytes.toString('base64');
  return { status, headers: Object.fromEntries(fields.sort()), body };
}

/** Compares the answers of all machines, and returns that of the writer. */
async function compare(
  { server, readers }: { server: RunningServer; readers: readonly RunningReader[] },
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answers: Answer[] = [];
  // One after the other, because a client may have few long downloads at once.
  for (const machine of [server, ...readers]) {
    answers.push(await askAt(machine, server, address, { headers }));
  }
  const [own, ...others] = answers as [Answer, ...Answer[]];
  for (const other of others) {
    expect.soft({ address, ...comparable(other) }).toEqual({ address, ...comparable(own) });
  }
  return own;
}

async function aSwitchedBoard(env: Readonly<Record<string, string>>) {
  const { server, members } = await aBoardOfModes(env);
  addContests(server, members);
  await setProfile(server, members.identified.cookie, { privacy_mode: 'identified' });
  await setProfile(server, members.private.cookie, { privacy_mode: 'private' });
  await setProfile(server, members.hidden.cookie, { privacy_mode: 'private' });
  await setProfile(server, members.deleted.cookie, { privacy_mode: 'private' });
  const mode = { privacy_mode: 'anonymous' };
  members.anonymous.alias = (await setProfile(server, members.anonymous.cookie, mode)).public_name;
  return { server, members };
}

test('readers answer like the writer, byte for byte', async () => {
  const s3 = await startS3();
  const { server, members } = await aSwitchedBoard(s3.env);
  const readers = [await startReader(s3, server), await startReader(s3, server)];
  const board = { server, readers };
  const front = await askAt(server, server, '/');
  for (const reader of readers) {
    await eventually(
      () => askAt(reader, server, '/'),
      ({ bytes }) => bytes.equals(front.bytes),
    );
  }

  const addresses = addressesOn(members);
  expect(addresses.length).toBeGreaterThan(400);
  for (const address of addresses) await compare(board, address);
  for (const encoding of ['gzip', 'br', 'identity']) {
    const some = addresses.filter((_, at) => at % 7 === 0);
    for (const address of some) await compare(board, address, { 'Accept-Encoding': encoding });
  }
  for (const page of ['/', '/leaderboard/30d/yield', '/metrics']) {
    const { headers } = await compare(board, page, { Accept: 'text/markdown' });
    expect(pageOfMarkdown(String(headers['content-location']))).toBe(page);
  }
  const { headers } = await compare(board, '/metrics');
  const again = await compare(board, '/metrics', { 'If-None-Match': String(headers.etag) });
  expect(again.status).toBe(304);
  expect(
    readers.map((reader) => reader.log().match(/"event":"(?:facts_missing|request_failed)"/g)),
  ).toEqual([null, null]);
  await s3.stop();
}, 240_000);
