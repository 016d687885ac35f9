/** The titles of the methodology's sections, by their anchors. */
export const METHODOLOGY_SECTIONS = {
  counts: 'What is counted',
  logs: 'How logs become counts',
  metrics: 'The five metrics',
  undefined: 'Zero and null',
  windows: 'Windows',
  eligibility: 'Who is ranked',
  interval: 'How sure a value is',
  rank: 'Rank and range',
  percentile: 'Percentile and median',
  classes: 'Classes',
  movement: 'Change',
  records: 'Records and challenges',
  ruleset: 'The ruleset',
} as const;
