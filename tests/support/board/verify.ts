/** A board over a network that tests change, and the result of `opbench verify`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Fetch } from '#agent/board/client.ts';
import type { LocalDevice } from '#agent/device.ts';
import { submit as submitTo } from '#agent/loop/submit.ts';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { readBoardKeys, readLog } from '#server/public-log/log.ts';
import { payloadLines, readTile } from '#server/public-log/tiles.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { anOutput, fetchFrom, runCommand, sendable } from '../agent/agent.ts';
import { aBucket, bucketsOfDays } from './builders.ts';
import { type TestContext, publishAndKeep, testContext } from './context.ts';
import { anEnrolledDevice } from '../agent/enrolled.ts';
import { aFolder } from '../logs/log-folder.ts';
import { exportOf } from './public-log.ts';

/** The board's responses to everyone: its public log as a file, its live log, and its keys. */
export interface Wire {
  file: Uint8Array;
  /** Changes the bytes of files other than the log. */
  changeBytes: (path: string, bytes: Uint8Array) => Uint8Array;
  change: (path: string, answer: unknown) => unknown;
}

/** A board with one enrolled device that has submitted, the network to it, and the log file at that time. */
export async function aBoard() {
  const ctx = testContext();
  const wire: Wire = {
    file: new Uint8Array(),
    changeBytes: (_, bytes) => bytes,
    change: (_, answer) => answer,
  };
  const others = fetchFrom(ctx);
  const fetch: Fetch = async (url, init) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname === '/log.ndjson.gz') return new Response(wire.file as BodyInit);
    const piece = pathname.startsWith('/log/') ? pieceOf(ctx, wire.file, pathname.slice(5)) : null;
    if (piece) return new Response(wire.changeBytes(pathname, piece) as BodyInit);
    const since = Number(searchParams.get('since'));
    if (pathname === '/api/v1/log') {
      return Response.json(
        wire.change(pathname, readLog(ctx, { since, limit: 3, format: 'json' })),
      );
    }
    if (pathname === '/api/v1/leaderboard') {
      const query = LeaderboardQuery.parse(Object.fromEntries(searchParams));
      return Response.json(wire.change(pathname, readLeaderboard(ctx, { ...query, limit: 2 })));
    }
    if (!pathname.endsWith('keys.json')) return others(url, init);
    return Response.json(wire.change(pathname, readBoardKeys(ctx)));
  };
  const { device, identity } = await anEnrolledDevice(ctx, 'ada', { fetch });
  const send = (day: string) => submitTo(device, identity, sendable([aBucket({ day })]));
  await submitTo(device, identity, sendable(bucketsOfDays(8, '2026-03-01')));
  publishAndKeep(ctx);
  wire.file = gzipSync(exportOf(ctx).join(''));
  return { ctx, device, identity, send, wire };
}

/** The file without entries, a tile or bundle, or payloads. */
function pieceOf(ctx: TestContext, file: Uint8Array, path: string): Uint8Array {
  if (path.startsWith('tile/')) return readTile(ctx, path);
  if (path.startsWith('payload/')) {
    return Buffer.from([...payloadLines(ctx, path.slice('payload/'.length))].join(''));
  }
  const lines = gunzipSync(file).toString().split('\n');
  return gzipSync(lines.filter((line) => !line.startsWith('{"line":"entry"')).join('\n'));
}

/** The output of `opbench verify`. */
export async function verify(device: LocalDevice, source: string) {
  const output = anOutput();
  const exitCode = await runCommand(device, 'verify', [source, '--json'], output);
  const report = JSON.parse(output.results.join('')) as Record<string, unknown>;
  return { exitCode, report, notes: output.notes };
}

/** A file with this content. */
export function aFile(content: Uint8Array | string): string {
  const path = join(aFolder(), 'log');
  writeFileSync(path, content);
  return path;
}

/** Changes the board's responses on a path. */
export const changed = <Answer>(of: string, change: (answer: Answer) => void): Wire['change'] => {
  return (path, answer) => {
    if (path === of) change(answer as Answer);
    return answer;
  };
};
