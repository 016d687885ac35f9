import { kimchi } from '#core/readers/kimchi.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';

describeLogCases(kimchi);
