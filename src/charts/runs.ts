/** Neighbouring points of a line, without a gap between them. */
export interface Run {
  /** The index of the first. */
  start: number;
  places: number[];
}

/** The pieces of a line that null parts. */
export function runsOf(places: readonly (number | null)[]): Run[] {
  const runs: Run[] = [];
  places.forEach((place, index) => {
    if (place === null) return;
    const run = runs.at(-1);
    if (run && run.start + run.places.length === index) run.places.push(place);
    else runs.push({ start: index, places: [place] });
  });
  return runs;
}
