/** The specification of records, their metrics, and corrections, as text. */
import type { ProtocolFacts, ProtocolSection } from './protocol-words.ts';

export function records({ firstDay, skewMinutes }: ProtocolFacts): ProtocolSection {
  return {
    id: 'records',
    title: 'Records',
    blocks: [
      'A record is one bucket: the tokens of one UTC day, provider, model and tool on this device. Always send the whole day as it is known now, not the difference from an earlier snapshot.',
      { fields: 'OperatorRecord' },
      {
        items: [
          '`timestamp` is 00:00:00Z of the day, and `context.window` is `"1d"`, null or absent (`window_unsupported`).',
          `The day is from ${firstDay} to today, by the board’s clock plus ${skewMinutes} minutes (\`day_out_of_range\`).`,
          'The names in `source` have 1 to 120 characters in Unicode normal form C, without control or format characters and without white space at either end (`validation_failed`).',
          'No two records of a snapshot have the same day, provider, model and tool (`bucket_duplicate`).',
          'Counts are whole numbers from 0 to 2^53−1, and so is their sum over the snapshot (`count_out_of_range`).',
          '`null` in `cache_write` or `cache_read` means that the tool does not report it; `0` means that it reported none.',
        ],
      },
      'A later record for a bucket replaces the device’s earlier one if its total is equal or larger. A smaller one does not change what counts, unless a [correction](#corrections) covers it. [Fingerprints](#fingerprints) decide what counts where several devices report the same day, tool, provider and model.',
    ],
  };
}

export const METRICS: ProtocolSection = {
  id: 'metrics',
  title: 'Metrics',
  blocks: [
    'Each record states five metrics of its own counts. Of its `telemetry`, `I` is `input`, `O` is `output`, `W` is `cache_write` and `R` is `cache_read`.',
    {
      terms: [
        ['yield', '2 decimals', '`R × O ÷ I²`. Requires `I > 0` and `R` reported.'],
        ['leverage', '1 decimal', '`R ÷ I`. Requires `I > 0` and `R` reported.'],
        ['velocity', '3 decimals', '`O ÷ I`. Requires `I > 0`.'],
        ['snr', '4 decimals', '`O ÷ (I + O)`. Requires `I + O > 0`.'],
        ['dev10x', '2 decimals', '`log10(R ÷ I)`. Requires `I`, `O`, `W` and `R` above 0.'],
      ],
    },
    'A metric whose requirement is not met MUST be null, and no other may be. Round half away from zero, decided on the exact value: the products exceed what floating point holds exactly, so use big integers. With `n ÷ d` and `k` decimals:',
    { code: ['rounded = floor((2 × n × 10^k + d) ÷ (2 × d)) ÷ 10^k'] },
    'A board recomputes every metric and stores its own values. Yours may differ by one unit of the last decimal (for yield, 0.01); anything else is `metrics_mismatch`.',
    '`warnings` is optional and has one line for each null, in this order: `cache_read_unavailable`, `cache_write_unavailable`, then `NAME_undefined: requires …` for each metric in the order above. The [test vectors](/developers/vectors.json) list the exact texts. Send no other lines: a board MAY refuse them. It stores its own.',
  ],
};

export const CORRECTIONS: ProtocolSection = {
  id: 'corrections',
  title: 'Corrections',
  blocks: [
    'Counts normally only grow. To lower or remove what the device stated before, put a `correction` into a snapshot:',
    {
      terms: [
        ['tool', 'text', 'The tool whose buckets are replaced.'],
        ['from', 'day', 'The first day.'],
        [
          'to',
          'day',
          'The last day; not before `from` and not in the future (`correction_invalid`).',
        ],
      ],
    },
    'The board first removes all buckets of this device and tool on those days, and then applies the records of the same snapshot, also where they are smaller. Buckets of other devices and tools do not change. A snapshot needs at least one record, so a correction that removes everything includes one record outside its days, or one with zero counts. The log keeps both snapshots.',
  ],
};
