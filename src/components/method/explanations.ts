/** The pages that explain the numbers and the data: methodology, science, privacy and transparency. */
import { type ExplanationSet, explanationOf } from './explanation.ts';
import counting from './methodology/counting.md?raw';
import logs from './methodology/logs.md?raw';
import metrics from './methodology/metrics.md?raw';
import methodology from './methodology/overview.md?raw';
import ranking from './methodology/ranking.md?raw';
import rules from './methodology/rules.md?raw';
import board from './privacy/board.md?raw';
import device from './privacy/device.md?raw';
import privacy from './privacy/overview.md?raw';
import visits from './privacy/visits.md?raw';
import checks from './science/checks.md?raw';
import errors from './science/errors.md?raw';
import intervals from './science/intervals.md?raw';
import science from './science/overview.md?raw';
import signatures from './science/signatures.md?raw';
import transparency from './transparency.md?raw';

export const COUNTING = explanationOf('/methodology/counting', counting);
export const LOGS = explanationOf('/methodology/logs', logs);
export const METRICS = explanationOf('/methodology/metrics', metrics);
export const RANKING = explanationOf('/methodology/ranking', ranking);
export const RULES = explanationOf('/methodology/rules', rules);

export const METHODOLOGY: ExplanationSet = {
  overview: explanationOf('/methodology', methodology),
  parts: [COUNTING, LOGS, METRICS, RANKING, RULES],
};

export const INTERVALS = explanationOf('/science/intervals', intervals);
export const ERRORS = explanationOf('/science/errors', errors);
export const CHECKS = explanationOf('/science/checks', checks);
export const SIGNATURES = explanationOf('/science/signatures', signatures);

export const SCIENCE: ExplanationSet = {
  overview: explanationOf('/science', science),
  parts: [INTERVALS, ERRORS, CHECKS, SIGNATURES],
};

export const DEVICE = explanationOf('/privacy/device', device);
export const VISITS = explanationOf('/privacy/visits', visits);
export const BOARD = explanationOf('/privacy/board', board);

export const PRIVACY: ExplanationSet = {
  overview: explanationOf('/privacy', privacy),
  parts: [DEVICE, VISITS, BOARD],
};

export const TRANSPARENCY = explanationOf('/transparency', transparency);
