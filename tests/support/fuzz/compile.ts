/** The project's compiler over files that no project but a test's own holds. */
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../board/context.ts';

/** What the compiler says of a line. */
export interface CompilerFinding {
  line: number;
  message: string;
}

/**
 * What the compiler says of files, by the options of this project.
 *
 * @param paths Where it finds modules that these files name.
 */
export function compile(
  files: readonly string[],
  paths: Record<string, string[]> = {},
): CompilerFinding[] {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...(config.config as object), include: [], files },
    ts.sys,
    ROOT,
  );
  const program = ts.createProgram(files, { ...options, paths });
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file: source, start = 0 }) => ({
    line: (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
    message: `${source?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  }));
}
