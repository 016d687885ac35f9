import { command } from '../command.ts';
import { CONFIG_KEYS, type ConfigKey, checked, isKey, valuesIn, writeConfig } from '../config.ts';
import type { Place } from '../device.ts';
import { configReport } from '../doctor/config.ts';
import { EXIT, Failure } from '../failure.ts';
import { refuseUnknownTools } from '../logs/excluded.ts';
import type { Environment } from '../settings.ts';
import { configLines } from '../text/config.ts';

export const config = command({
  help: `opbench config: show or change the settings of opbench on this device

Usage: opbench config [--json]
       opbench config set KEY VALUE
       opbench config unset KEY

  board            the board for commands that use one board, if this device is
                   enrolled on several; submit, status, auto and doctor use all
  label            the name of this device for the next enroll
  exclude-tools    tools that are not counted, for example codex,opencode
  exclude-folders  folders whose logs are not counted
  --json           print JSON

The settings are in config.json in the state folder. Variables such as
OPBENCH_EXCLUDE_TOOLS take precedence over it, and flags over both.

Counts that were already submitted stay on their boards. Without the exclusion,
logs that still exist are counted again.

Example: opbench config set exclude-folders ~/.claude/projects/-home-ada-secret
`,
  json: `opbench config --json prints one object:

  path      path of the config file
  exists    whether it exists
  settings  array of {key, values, source}; "source" is environment or file, or
            null if the setting is not set
`,
  words: 3,
  choices: [['set', 'unset'], CONFIG_KEYS],
  run({ words }, output, { environment }: Place) {
    if (words.length > 0) change(environment, words);
    const report = configReport(environment);
    output.result(report, ['Config', ...configLines(report)].join('\n'));
    return EXIT.ok;
  },
});

const HINT = `The keys are ${CONFIG_KEYS.join(', ')}.`;

function change(environment: Environment, words: readonly string[]): void {
  const [action, key = '', value] = words;
  const isWhole =
    (action === 'set' && words.length === 3) || (action === 'unset' && words.length === 2);
  if (!isWhole) throw new Failure(EXIT.usage, 'config takes "set KEY VALUE" or "unset KEY"', HINT);
  if (!isKey(key)) throw new Failure(EXIT.usage, `config has no key "${key}"`, HINT);
  writeConfig(environment, key, value === undefined ? [] : valuesFor(environment, key, value));
}

function valuesFor(environment: Environment, key: ConfigKey, text: string): readonly string[] {
  const values = valuesIn(key, text);
  if (values.length === 0) {
    const hint = `To remove it: opbench config unset ${key}`;
    throw new Failure(EXIT.usage, `config set ${key} needs a value`, hint);
  }
  const place = `config set ${key}`;
  if (key === 'exclude-tools') refuseUnknownTools(place, values);
  return checked({ key, values, source: 'file', place }, environment).values;
}
