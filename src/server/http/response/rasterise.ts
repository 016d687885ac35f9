import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';

const TIMEOUT_MS = 15_000;
/** So much of what the process says stands in the log. */
const MAX_SAID = 2_000;

/**
 * The PNG of an SVG, drawn in a process of its own that knows nothing of the board's secrets.
 *
 * @param script The built `raster.mjs`.
 * @throws {Error} where pictures cannot be drawn on this machine, or took too long.
 */
export async function rasterise(
  script: string,
  svg: string,
  timeoutMs = TIMEOUT_MS,
): Promise<Buffer> {
  const child = spawn(process.execPath, [script], {
    env: {},
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | string | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  // A process that ended before it read all says why on its stderr.
  child.stdin.once('error', () => undefined);
  child.stdin.end(svg);
  const [png, said, end] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
  if (end === 0 && png.length > 0) return png;
  throw new Error(`The drawing process ended with ${end}: ${said.slice(-MAX_SAID)}`);
}
