/** Returns the version from the second line of a built `opbench`; null if it is not there. */
export function versionIn(program: string): string | null {
  return /^#!.*\n\/\/ opbench (\S+)\n/.exec(program)?.[1] ?? null;
}
