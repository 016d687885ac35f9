/** The titles of the science page's sections, by their anchors. */
export const SCIENCE_SECTIONS = {
  meaning: 'What is measured',
  tools: 'Comparing tools',
  coverage: 'Intervals',
  thin: 'Few days',
  first: 'The first place',
  sensitivity: 'Wrong counts',
  signatures: 'Signatures',
  checks: 'Checks',
  keeper: 'The keeper',
  absent: 'Who is not here',
  again: 'Measure it again',
} as const;
