/** Runs `opbench` like the built program, but in the test's own process. */
import { runProgram } from '#core/cli/program.ts';
import { programAt } from '#agent/commands.ts';
import type { LocalDevice, Place } from '#agent/device.ts';
import type { Environment } from '#agent/settings.ts';
import { terminalOutput } from '#agent/terminal.ts';
import { type PreparedResponse, built } from '../http/process.ts';

/**
 * Runs a command. If a separate process matters, run the built program instead.
 *
 * @param change Changes the device of commands that contact boards.
 */
export async function runOpbench(
  words: readonly string[],
  environment: Environment,
  change = (device: LocalDevice) => device,
): Promise<PreparedResponse> {
  const streams = { stdout: '', stderr: '' };
  const place = { environment, nowMs: Date.now, file: built('opbench.mjs') };
  const program = programAt(place);
  const contextOf = async (name: string, args: readonly string[]) => {
    const context = await program.contextOf(name, args, {});
    return isDevice(context) ? change(context) : context;
  };
  const writing = (name: keyof typeof streams) => {
    const stream = { isTTY: false, write: (text: string) => void (streams[name] += text) };
    return stream as unknown as NodeJS.WriteStream;
  };
  const both = { stdout: writing('stdout'), stderr: writing('stderr') };
  const screen = terminalOutput(both, environment, place.file);
  const status = await runProgram({ ...program, contextOf }, words, screen);
  return { status, ...streams };
}

function isDevice(place: Place): place is LocalDevice {
  return 'client' in place;
}
