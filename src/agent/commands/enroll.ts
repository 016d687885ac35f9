import { plain } from '#core/domain/text/terminal-text.ts';
import { readBoardUrl } from '../board/address.ts';
import { type AgentOutput, command } from '../command.ts';
import { configured } from '../config.ts';
import type { LocalDevice, Place } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { aliasOf, installedCommand, isOnPath } from '../state/copy.ts';
import { keepProgram } from '../state/installed.ts';
import { enrollKnown } from '../loop/enroll-known.ts';
import type { Ask } from '../loop/enroll-decision.ts';
import { askLine } from '../terminal.ts';
import { HOME_BOARD } from '../version.ts';

export const enroll = command({
  help: `opbench enroll: connect this device to your account on a board

Usage: opbench enroll CODE [--board URL] [--label NAME]
                           [--replace DEVICE | --new] [--json]

  CODE              the code from "Add a device" in the board's settings; works
                    once, within 10 minutes
  --board URL       the board; default: the one that this opbench came from, or
                    the only one you are enrolled on
  --label NAME      name of this device in your settings; default: the label in
                    the config file, the name of the device that it replaces, or
                    the platform
  --replace DEVICE  replace an earlier device, given by name or ID; its days
                    then belong to this one, and its key is revoked
  --new             add a separate device; days that another device has sent
                    stay with that device
  --json            print JSON

This creates a key that never leaves this device, and saves a copy of opbench
next to it for timers and AI assistants. If your account has other devices,
enroll asks whether this machine replaces one of them. Without a terminal it
cannot ask: it stops, the code stays valid, and you add --replace or --new.

Example: opbench enroll 7K3QX-9M2RT-4HWPB --board https://bench.example.org
`,
  json: `opbench enroll --json prints one object:

  board, codename, device_id, label
  program   path of the saved copy of opbench, or null
  replaced  {id, label} of the replaced device, or null
  new       true if part of the logs here counts for another device or account
`,
  options: { board: readBoardUrl, label: 'text', replace: 'text', new: 'flag' },
  words: 1,
  async run({ words: [code], values: given }, output, device) {
    const asked = given.board ?? HOME_BOARD ?? onlyBoard(device);
    if (code === undefined || asked === null) throw usage(code);
    const { identity, label, replaced, isNew, notes } = await enrollKnown(device, {
      code,
      board: asked,
      label: given.label ?? configured(device.environment, 'label').values[0],
      flags: { replace: given.replace, isNew: given.new },
      ask: askOn(output),
      progress: output.progress,
    });
    const { board, codename, device_id } = identity;
    const program = keptProgram(device, output);
    notes.forEach(output.note);
    const enrolled = { board, codename, device_id, label, program, replaced, new: isNew };
    const head = `Enrolled as ${plain(codename)} on ${board}`;
    output.result(enrolled, [head, ...nextLines(device, program)].join('\n'));
    return EXIT.ok;
  },
});

/** The board where this device is enrolled; null if there are none or several. */
function onlyBoard({ keystore }: LocalDevice): string | null {
  const { sound, damaged } = keystore.identities();
  const [first, ...others] = sound;
  return others.length + damaged.length === 0 ? (first?.board ?? null) : null;
}

function askOn({ done }: AgentOutput): Ask {
  return (question) => {
    done();
    return askLine(question);
  };
}

function usage(code: string | undefined): Failure {
  const board = HOME_BOARD === null ? ' and --board URL' : '';
  const hint =
    code === undefined
      ? `Get a code from "Add a device" in ${HOME_BOARD === null ? "the board's settings" : `${HOME_BOARD}/settings`}, then: opbench enroll CODE`
      : 'Add the address of the board, for example: --board https://bench.example.org';
  return new Failure(EXIT.usage, `enroll needs a CODE${board}`, hint);
}

/** The path of the saved copy; null if it could not be saved. The device is enrolled either way. */
function keptProgram(place: Place, { note }: AgentOutput): string | null {
  try {
    return keepProgram(place);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    note(`No copy of opbench was saved: ${plain(error.message)}`);
    return null;
  }
}

function nextLines({ environment }: Place, program: string | null): string[] {
  if (program === null) return ['Next: opbench submit'];
  const isTyped = isOnPath(environment);
  const command = isTyped ? 'opbench' : installedCommand(environment);
  const alias = ['To type just "opbench":', `  ${aliasOf(command)}`];
  return [
    'Next, check what would be sent, then send it:',
    `  ${command} submit --dry-run`,
    `  ${command} submit`,
    ...(isTyped ? [] : alias),
  ];
}
