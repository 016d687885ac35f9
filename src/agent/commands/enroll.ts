import { plain, plainJson } from '#core/domain/terminal-text.ts';
import { type Command, type Output, readArguments } from '../command.ts';
import type { Place } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { installedCommand } from '../kept/copy.ts';
import { keepProgram } from '../kept/installed.ts';
import { enroll as enrollDevice } from '../loop/enroll.ts';
import { HOME_BOARD } from '../version.ts';

export const enroll: Command = {
  help: `opbench enroll CODE [--board URL] [--label NAME] [--json]: bind this device to
your account on a board. The code comes from "New key" in the board's settings,
works once and for 10 minutes. The private key never leaves this device. Without
--board it is the board that this copy of opbench came from.

Example: opbench enroll 7K3QX-9M2RT-4HWPB --board https://bench.example.org

The board is told the label; if none is given, it is the platform. A copy of
this program is kept beside the key, for timers and agents.

--json prints {"board", "codename", "device_id", "label", "program"}; "program"
is the path of that copy, or null.
`,
  async run(device, args, output) {
    const given = readArguments(args, {
      command: 'enroll',
      options: ['board', 'label', 'json'],
      words: 1,
    });
    const [code] = given.words;
    const asked = given.board ?? HOME_BOARD;
    if (code === undefined || asked === null) throw usage(code);
    const label = given.label ?? `${process.platform} ${process.arch}`;
    const identity = await enrollDevice(device, { code, board: asked, label });
    const { board, codename, device_id } = identity;
    const program = keptProgram(device, output);
    if (given.json) output.result(plainJson({ board, codename, device_id, label, program }));
    else
      output.result(
        [`Enrolled as ${plain(codename)} on ${board}`, ...nextLines(device, program)].join('\n'),
      );
    return EXIT.ok;
  },
};

function usage(code: string | undefined): Failure {
  const board = HOME_BOARD === null ? ' and --board URL' : '';
  const hint =
    code === undefined
      ? `The settings of a board give one: "New key"${HOME_BOARD === null ? '' : ` at ${HOME_BOARD}/settings`}.`
      : 'This copy of opbench came from no board: name it, as in --board https://bench.example.org.';
  return new Failure(EXIT.usage, `enroll takes a CODE${board}`, hint);
}

/** Where the program is kept; null if it is not. This device is enrolled either way. */
function keptProgram(place: Place, { note }: Output): string | null {
  try {
    return keepProgram(place);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    note(`The program is not kept: ${plain(error.message)}`);
    return null;
  }
}

/** What comes next, in lines that are copied whole. */
function nextLines({ environment }: Place, program: string | null): string[] {
  if (program === null) return ['Next:', '  opbench submit'];
  const command = installedCommand(environment);
  const next = ['Next, to see what would be sent, and to send it:'];
  const steps = [`  ${command} submit --dry-run`, `  ${command} submit`];
  return [...next, ...steps, 'To type "opbench" for all that:', `  alias opbench='${command}'`];
}
