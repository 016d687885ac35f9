import { currentLogKey } from '#server/identity/log-key.ts';
import { readServedConfig } from '#server/running-server.ts';
import { ConfigError } from '#server/config/config-error.ts';
import { openWitnessKey, witnessUrl } from '#server/witness/witness-key.ts';
import {
  addWitnessedLog,
  listWitnessedLogs,
  removeWitnessedLog,
} from '#server/witness/witnessed-logs.ts';
import { type Command, EXIT, action, tableOf } from '../command.ts';
import { withStore } from '../store.ts';

/** Prints only the policy on stdout, so that it can be redirected to a file. */
const show = action({
  help: `opbench-board witness show: print what the admin of another board needs

Usage: opbench-board witness show [--json]

  --json  print JSON

It prints a policy file: the key of this board's log, and the name, key and URL of
this board as a witness. Send it to the admin of the other board, who

1. runs "opbench-board witness add" with the key after "log",
2. saves the lines as a file and sets WITNESS_POLICY to its path,
3. restarts the board.

Example: opbench-board witness show
`,
  json: `opbench-board witness show --json prints one object:

  log      {origin, vkey, url} of the log
  witness  {name, vkey, url} of the board as a witness
  policy   the policy file
`,
  run(_, output, settings) {
    const config = readServedConfig(settings);
    withStore(settings, (store, { baseUrl }) => {
      const key = currentLogKey(store);
      if (!key) throw new ConfigError('The log has no key yet. Start the board once');
      const log = { origin: key.origin, vkey: key.vkey, url: `${baseUrl}/log` };
      const { name, vkey } = openWitnessKey(config, baseUrl);
      const witness = { name, vkey, url: witnessUrl(baseUrl) };
      const policy = [
        `log ${log.vkey} ${log.url}`,
        `witness ${name} ${vkey} ${witness.url}`,
        `quorum ${name}`,
        '',
      ].join('\n');
      output.result({ log, witness, policy }, policy);
      output.note(`Send these lines to the admin of the other board, who runs:
opbench-board witness add ${log.vkey}`);
    });
    return EXIT.ok;
  },
});

const add = action({
  help: `opbench-board witness add: witness the log of another board

Usage: opbench-board witness add VKEY [--json]

  VKEY    the key of its log, which names the log: the word after "log" in what
          "opbench-board witness show" prints there
  --json  print JSON

The board then cosigns checkpoints of this log that continue what it saw before.
If the log is there already, its key is replaced.

Example: opbench-board witness add \\
  bench.example.org/log+7f5c3a21+AbWqz4G8…
`,
  json: `opbench-board witness add --json prints one object:

  origin  the name of the log
`,
  word: 'VKEY',
  run({ word: vkey }, output, settings) {
    const config = readServedConfig(settings);
    withStore(settings, (store, { baseUrl, now }) => {
      openWitnessKey(config, baseUrl);
      const added = addWitnessedLog(store, vkey, now);
      output.result(added, '');
      output.note(`This board witnesses the log ${added.origin}, at ${witnessUrl(baseUrl)}`);
    });
    return EXIT.ok;
  },
});

const HEAD = ['LOG', 'COSIGNED', 'ADDED', 'KEY'];

const list = action({
  help: `opbench-board witness list: list the logs that this board witnesses

Usage: opbench-board witness list [--json]

  --json  print JSON

COSIGNED is the number of entries in the last checkpoint that the board cosigned.

Example: opbench-board witness list
`,
  json: `opbench-board witness list --json prints one object:

  entries  array of {origin, vkey, added_at, size}; size is that of the last
           cosigned checkpoint, or null
`,
  run(_, output, settings) {
    const config = readServedConfig(settings);
    withStore(settings, (store) => {
      const entries = listWitnessedLogs(store, config);
      const rows = entries.map(({ origin, size, added_at, vkey }) => {
        return [origin, size === null ? '-' : String(size), added_at, vkey];
      });
      output.result({ entries }, rows.length === 0 ? '' : tableOf([HEAD, ...rows]));
      if (rows.length === 0) output.note('This board witnesses no logs.');
    });
    return EXIT.ok;
  },
});

const remove = action({
  help: `opbench-board witness remove: stop witnessing a log

Usage: opbench-board witness remove ORIGIN [--json]

  ORIGIN  the name of the log, as "opbench-board witness list" shows it
  --json  print JSON

The last checkpoint that the board cosigned is kept, in case the log is added again.

Example: opbench-board witness remove bench.example.org/log
`,
  json: `opbench-board witness remove --json prints one object:

  origin  the name of the log
`,
  word: 'ORIGIN',
  run({ word: origin }, output, settings) {
    withStore(settings, (store, { now }) => {
      removeWitnessedLog(store, origin, now);
      output.result({ origin });
      output.note(`This board no longer witnesses the log ${origin}.`);
    });
    return EXIT.ok;
  },
});

export const witness: Command = {
  help: `opbench-board witness: let two boards witness each other

Usage: opbench-board witness show [--json]
       opbench-board witness add VKEY [--json]
       opbench-board witness list [--json]
       opbench-board witness remove ORIGIN [--json]

  show    print what the admin of another board needs
  add     witness the log of another board
  list    list the logs that this board witnesses
  remove  stop witnessing a log

A witness cosigns the checkpoints of a log, and only those that continue what it
saw before. WITNESS_POLICY names the witnesses of this board. /docs/run/witnesses
explains both.

Example: opbench-board witness show
`,
  json: `"opbench-board witness show" prints {"log", "witness", "policy"}. "add" and
"remove" print {"origin"}. "list" prints {"entries": [...]}.

"opbench-board witness list --help --json" describes the objects.
`,
  actions: { show, add, list, remove },
};
