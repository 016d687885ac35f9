import { pi } from '#core/readers/pi.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';

describeLogCases(pi);
