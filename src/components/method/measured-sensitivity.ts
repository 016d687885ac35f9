/** What `scripts/bench/sensitivity.mjs --write` measured. Do not edit: run it again. */
export const SENSITIVITY = {
  seed: 1,
  fields: 250,
  operators: 200,
  days: 30,
  top: 10,
  ranks: [
    {
      field: 'independent days, spreads 0.5 and 0.5',
      rows: [
        { error: 'Everybody off by 10 %, each day anew', tau: 0.962, moved: 2.9, stay: 9.5 },
        { error: 'Everybody off by 10 %, always the same', tau: 0.88, moved: 8.7, stay: 8.3 },
        {
          error: 'A tool that half of them use counts 10 % too much',
          tau: 0.949,
          moved: 5.1,
          stay: 9,
        },
        {
          error: 'A tool that half of them use counts twice as much',
          tau: 0.676,
          moved: 32.2,
          stay: 5.5,
        },
        {
          error: 'A tool that half of them use counts ten times as much',
          tau: 0.504,
          moved: 49.4,
          stay: 5.1,
        },
        { error: 'Nothing wrong, but 30 other days', tau: 0.712, moved: 20.4, stay: 6.4 },
      ],
    },
    {
      field: 'independent days, spreads 1 and 1',
      rows: [
        { error: 'Everybody off by 10 %, each day anew', tau: 0.942, moved: 4.2, stay: 9.2 },
        { error: 'Everybody off by 10 %, always the same', tau: 0.908, moved: 6.8, stay: 8.6 },
        {
          error: 'A tool that half of them use counts 10 % too much',
          tau: 0.961,
          moved: 3.9,
          stay: 9.3,
        },
        {
          error: 'A tool that half of them use counts twice as much',
          tau: 0.741,
          moved: 25.8,
          stay: 5.7,
        },
        {
          error: 'A tool that half of them use counts ten times as much',
          tau: 0.52,
          moved: 47.8,
          stay: 5.1,
        },
        { error: 'Nothing wrong, but 30 other days', tau: 0.357, moved: 43.8, stay: 3.5 },
      ],
    },
    {
      field: 'independent days, spreads 1 and 1.5',
      rows: [
        { error: 'Everybody off by 10 %, each day anew', tau: 0.944, moved: 4.1, stay: 9.3 },
        { error: 'Everybody off by 10 %, always the same', tau: 0.931, moved: 5.1, stay: 8.7 },
        {
          error: 'A tool that half of them use counts 10 % too much',
          tau: 0.971,
          moved: 2.9,
          stay: 9.4,
        },
        {
          error: 'A tool that half of them use counts twice as much',
          tau: 0.8,
          moved: 19.9,
          stay: 6,
        },
        {
          error: 'A tool that half of them use counts ten times as much',
          tau: 0.561,
          moved: 43.7,
          stay: 5.1,
        },
        { error: 'Nothing wrong, but 30 other days', tau: 0.191, moved: 54.5, stay: 2.2 },
      ],
    },
  ],
} as const;
