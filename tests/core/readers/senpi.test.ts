import { senpi } from '#core/readers/senpi.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';

describeLogCases(senpi);
