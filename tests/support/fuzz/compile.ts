/** Runs the project's compiler on files that belong only to a test's own project. */
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../board/context.ts';

/** The compiler's message about a line. */
export interface CompilerFinding {
  line: number;
  message: string;
}

/**
 * The compiler's messages about files, with the options of this project.
 *
 * @param paths Where it finds modules that these files import.
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
