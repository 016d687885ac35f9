/** A device whose timers are stand-ins. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '#agent/board/client.ts';
import type { LocalDevice } from '#agent/device.ts';
import { Keystore } from '#agent/state/keystore.ts';
import { BASE_URL, NOW_MS } from '../board/builders.ts';
import { aFolder } from '../logs/log-folder.ts';
import { anOutput, runCommand } from './agent.ts';
import { type Program, timersIn } from './timers.ts';

/** Characters in paths that have a meaning in unit files, shells and crontabs. */
const ODD = process.platform === 'win32' ? `a 'b 50% $HOME é` : `a 'b" 50% $HOME é`;
const PROGRAM = `#!/usr/bin/env node
// opbench 0.0.0
import { writeFileSync } from 'node:fs';
writeFileSync(process.env.OPBENCH_HOME + '/ran', JSON.stringify(process.argv.slice(2)));
`;

/** A device in a home folder with special characters, with only these programs on its PATH. */
export function aMachine(programs: readonly Program[], { isEnrolled = true, folder = ODD } = {}) {
  const home = join(aFolder(), folder);
  const state = join(home, 'state');
  mkdirSync(state, { recursive: true });
  writeFileSync(join(home, 'opbench.mjs'), PROGRAM);
  const timers = timersIn(home, programs);
  const environment = { HOME: home, PATH: timers.path, OPBENCH_HOME: state };
  const device: LocalDevice = {
    environment,
    nowMs: () => NOW_MS,
    file: join(home, 'opbench.mjs'),
    keystore: new Keystore(state),
    client: new Client(
      () => Promise.reject(new Error('Nothing is sent')),
      () => NOW_MS,
    ),
    wait: () => Promise.resolve(),
  };
  if (isEnrolled) device.keystore.save(IDENTITY);
  const units = join(home, '.config', 'systemd', 'user');
  return { device, home, timers, units, state };
}

const KEY = 'A'.repeat(43);
const IDENTITY = {
  board: BASE_URL,
  board_name: 'Test board',
  board_public_key: KEY,
  codename: 'ada',
  device_id: '01890000-0000-7000-8000-000000000000',
  keyid: `SHA256:${KEY}`,
  public_key: KEY,
  secret_key: KEY,
};

/** Runs `opbench auto`. */
export async function runAuto(device: LocalDevice, ...words: string[]) {
  const output = anOutput();
  const exitCode = await runCommand(device, 'auto', words, output);
  return { exitCode, results: output.results.join('\n'), notes: output.notes.join('\n') };
}
