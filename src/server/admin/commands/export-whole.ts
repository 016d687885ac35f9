/** `export --whole`: a board with all that it holds, as one file that any later version imports. */
import { databasePath, listenUrl } from '#server/config/config.ts';
import { readServedConfig } from '#server/process/running-server.ts';
import { draftOf } from '#server/process/atomic-file.ts';
import { sizeText } from '#server/process/size-text.ts';
import { type WrittenBoard, writeWholeBoard } from '#server/backups/whole-file.ts';
import { readArguments } from '../arguments.ts';
import { EXIT, type ExitCode, type Output } from '../command.ts';
import { stoppable } from '../stoppable.ts';
import { refuseTarget, targetAt } from '../target.ts';
import { UsageError } from '../usage-error.ts';
import { headText } from './verify-text.ts';
import { VERSION } from '../version.ts';

/** Whether the words ask for the whole board. */
export function asksForWhole(args: readonly string[]): boolean {
  return args.includes('--whole');
}

/**
 * @throws {UsageError} if the words are others, or ask for stdout: the file holds secrets.
 */
export async function exportWholeBoard(args: string[], output: Output): Promise<ExitCode> {
  const { path, over } = asked(args);
  const config = readServedConfig(process.env);
  refuseTarget(path, config);
  const note = {
    program: VERSION,
    base_url: config.baseUrl ?? listenUrl(config, config.port),
    written_at: new Date().toISOString(),
  };
  const draft = draftOf(path);
  const written = await stoppable(draft, () =>
    writeWholeBoard(databasePath(config), { path, draft, over, note }),
  );
  const { head, ...facts } = written;
  const { log_index = null, entry_hash = null } = head ?? {};
  output.result({ ...facts, log_index, entry_hash }, textOf(written));
  return EXIT.ok;
}

function asked(args: string[]): { path: string; over: boolean } {
  const options = { whole: { type: 'boolean' }, force: { type: 'boolean' } } as const;
  if (args.includes('-')) {
    throw new UsageError('export --whole writes secrets, so it takes a FILE and no stdout');
  }
  const takes = { command: 'export', word: 'FILE', options };
  const { values, word: path } = readArguments(args, takes);
  return { path: targetAt(path), over: values.force === true };
}

function textOf({ path, bytes, head, operators }: WrittenBoard): string {
  return [
    `${path} holds the whole board: ${operators} operators, ${sizeText(bytes)}.`,
    ...(head ? [`head ${headText(head)}`] : []),
    'It holds the secrets of the board and of its operators: keep it as you keep the database. Not in it:',
    'settings of the environment and the board folder (BOARD_DIR). "opbench-board import" takes it elsewhere.',
  ].join('\n');
}
