/** Returns the name that was probably meant: at most two letters differ. Returns null if there is none. */
export function nearestName(typed: string, names: readonly string[]): string | null {
  let found: string | null = null;
  let least = Math.min(2, typed.length - 1);
  for (const name of names) {
    const letters = distance(typed, name);
    if (letters > least || (letters === least && found !== null)) continue;
    found = name;
    least = letters;
  }
  return found;
}

/** The Levenshtein distance; Infinity if the lengths differ by more than 2. */
function distance(from: string, to: string): number {
  // Bounds the work for long input.
  if (Math.abs(from.length - to.length) > 2) return Infinity;
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
