import { plain } from '#core/domain/text/terminal-text.ts';
import { readBoardUrl } from '../board/address.ts';
import { type AgentOutput, command } from '../command.ts';
import type { LocalDevice, Place } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { installedCommand } from '../state/copy.ts';
import { keepProgram } from '../state/installed.ts';
import { enrollKnown } from '../loop/enroll-known.ts';
import type { Ask } from '../loop/enroll-decision.ts';
import { askLine } from '../terminal.ts';
import { HOME_BOARD } from '../version.ts';

export const enroll = command({
  help: `opbench enroll CODE [--board URL] [--label NAME] [--replace DEVICE | --new]
[--json]: bind this device to your account on a board. The code comes from "New
key" in the board's settings, works once and for 10 minutes. The private key
never leaves this device. Without --board it is the board that this copy of
opbench came from, else the only board where this device is enrolled.

Example: opbench enroll 7K3QX-9M2RT-4HWPB --board https://bench.example.org

The board is told the label; if none is given, it is that of the replaced
device, else the platform. A copy of this program is kept beside the key, for
timers and agents.

If the account has other devices, they are listed, and you choose what this one
is. Without a terminal, a machine that seems to be one of them is not enrolled
unless you say what it is:
  --replace DEVICE  this machine continues that device, named by its label or
                    ID. What it sent stays, counts for this one, and its key is
                    revoked. Use it after the state folder was lost, and to
                    repair days that two devices of one machine count twice.
  --new             this is a device of its own. If its logs were copied from
                    another device, what that one has sent stays with it, and
                    everything else counts here. If its state folder was copied,
                    only what is new here counts.

--json prints {"board", "codename", "device_id", "label", "program", "replaced",
"new"}; "program" is the path of that copy, or null. "replaced" is null or the
"id" and "label" of the device that was replaced. "new" is true if a part of
what is logged here stays with another device or account.
`,
  options: { board: readBoardUrl, label: 'text', replace: 'text', new: 'flag' },
  words: 1,
  async run({ words: [code], values: given }, output, device) {
    const asked = given.board ?? HOME_BOARD ?? onlyBoard(device);
    if (code === undefined || asked === null) throw usage(code);
    const { identity, label, replaced, isNew, notes } = await enrollKnown(device, {
      code,
      board: asked,
      label: given.label,
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

/** The board where this device is enrolled; null if there are several, or none. */
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
      ? `The settings of a board give one: "New key"${HOME_BOARD === null ? '' : ` at ${HOME_BOARD}/settings`}.`
      : 'This copy of opbench came from no board: name it, as in --board https://bench.example.org.';
  return new Failure(EXIT.usage, `enroll takes a CODE${board}`, hint);
}

/** Where the program is kept; null if it is not. This device is enrolled either way. */
function keptProgram(place: Place, { note }: AgentOutput): string | null {
  try {
    return keepProgram(place);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    note(`The program is not kept: ${plain(error.message)}`);
    return null;
  }
}

function nextLines({ environment }: Place, program: string | null): string[] {
  if (program === null) return ['Next:', '  opbench submit'];
  const command = installedCommand(environment);
  const next = ['Next, to see what would be sent, and to send it:'];
  const steps = [`  ${command} submit --dry-run`, `  ${command} submit`];
  return [...next, ...steps, 'To type "opbench" for all that:', `  alias opbench='${command}'`];
}
