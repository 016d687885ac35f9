/** A log's name without its folders, which differ where the log is copied or moved to. */
export function logNameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}
