/** A log that does not fit into a string: 1.1 GB, with one line of 60 MB. */
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { aFolder } from '../support/logs/log-folder.ts';
import { aClaudeLine } from '../support/logs/log-writers.ts';
import { runBuilt } from '../support/http/process.ts';

const MOST_MEGABYTES = 256;

/** Reports its own memory use when it ends. */
const TELL = `
import { writeFileSync } from 'node:fs';
process.on('exit', () => {
  writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS));
});
`;

/** Writes the log, and returns the total output that it contains. */
function writeLog(path: string): number {
  const returned = { role: 'user', content: 'x "quoted" \\ '.repeat(8000) };
  const other = `${JSON.stringify({ type: 'user', message: returned })}\n`;
  const file = openSync(path, 'w');
  let output = 0;
  for (let id = 0; id < 8800; id += 1) {
    const text = id === 4400 ? 'a long "line" '.repeat(60 << 16) : `answer ${id}`;
    const content = [{ type: 'text', text }];
    writeSync(file, `${other}${aClaudeLine({ id: `msg_${id}`, output: id, content })}\n`);
    output += id;
  }
  closeSync(file);
  return output;
}

test('a log of 1.1 GB is read in less than 256 MB of memory', async () => {
  const home = aFolder({ 'tell.mjs': TELL });
  mkdirSync(join(home, '.claude/projects/p'), { recursive: true });
  const output = writeLog(join(home, '.claude/projects/p/a.jsonl'));
  writeFileSync(join(home, 'peak'), '');
  const { status, stdout } = await runBuilt('opbench.mjs', ['scan', '--json'], {
    HOME: home,
    PEAK_FILE: join(home, 'peak'),
    NODE_OPTIONS: `--import ${pathToFileURL(join(home, 'tell.mjs')).href}`,
  });
  const { totals, sources } = JSON.parse(stdout) as {
    totals: { output: number };
    sources: { events: number }[];
  };

  expect(status).toBe(0);
  expect(totals.output).toBe(output);
  expect(sources[0]?.events).toBe(8800);
  expect(Number(readFileSync(join(home, 'peak'), 'utf8')) / 1024).toBeLessThan(MOST_MEGABYTES);
});
