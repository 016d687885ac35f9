/** Schemas and test vectors for third parties who write a device or a verifier. */
import * as z from 'zod';
import { EnrollmentStatement } from '../schema/device.ts';
import {
  BoardKeyStatement,
  DecisionPayload,
  EnrollPayload,
  ErasePayload,
  HidePayload,
  RevokePayload,
  RulesetPayload,
  VisibilityPayload,
} from '../schema/log-payload.ts';
import { SignedLogHead } from '../schema/log.ts';
import { LINES, PublicLogEnd } from '../schema/public-log.ts';
import { OperatorRecord } from '../schema/record.ts';
import { LoggedEnvelope, SelfReportPayload } from '../schema/self-report.ts';
import {
  Covers,
  Envelope,
  Receipt,
  SnapshotPayload,
  SnapshotPayload2,
} from '../schema/snapshot.ts';
import { Enrollment, EnrollmentRequest, KnownDevices, KnownDevicesRequest } from './devices.ts';
import { type GuideField, fieldsOf } from './openapi/guide-fields.ts';
import { BoardKeys } from './log.ts';
import { type Schemas, schemaObject } from './openapi/openapi-schemas.ts';
import { SnapshotReceipt } from './snapshots.ts';
import vectors from './protocol-vectors.json' with { type: 'json' };

const PROTOCOL_PATH = '/developers/protocol';
export const PROTOCOL_SCHEMAS_PATH = '/developers/protocol.json';
export const PROTOCOL_VECTORS_PATH = '/developers/vectors.json';

/** Test vectors: keys, exact bytes, signatures, hashes, and invalid bodies. */
export const PROTOCOL_VECTORS = vectors;

/** Everything that is signed, sent or logged, by name. */
const PROTOCOL_SCHEMAS = {
  Envelope,
  EnrollmentStatement,
  EnrollmentRequest,
  Enrollment,
  KnownDevicesRequest,
  KnownDevices,
  SnapshotPayload,
  SnapshotPayload2,
  Covers,
  OperatorRecord,
  SnapshotReceipt,
  Receipt,
  BoardKeys,
  BoardKeyStatement,
  SignedLogHead,
  LoggedEnvelope,
  SelfReportPayload,
  EnrollEntry: EnrollPayload,
  RevokeEntry: RevokePayload,
  VisibilityEntry: VisibilityPayload,
  RulesetEntry: RulesetPayload,
  DecisionEntry: DecisionPayload,
  HideEntry: HidePayload,
  EraseEntry: ErasePayload,
  HeaderLine: LINES.header,
  BoardKeyLine: LINES.board_key,
  EntryLine: LINES.entry,
  BoardLine: LINES.board,
  StandingLine: LINES.standing,
  EndLine: LINES.end,
  PublicLogEnd,
} as const satisfies Record<string, z.ZodType>;
export type ProtocolSchemaName = keyof typeof PROTOCOL_SCHEMAS;

type Definitions = Record<string, object>;

/**
 * Returns all schemas of the protocol as one JSON Schema document.
 *
 * @see {@link https://json-schema.org/draft/2020-12 | JSON Schema 2020-12}
 */
export function protocolDocument(baseUrl: string) {
  const definitions: Definitions = {};
  for (const [name, schema] of Object.entries(PROTOCOL_SCHEMAS)) {
    const { $defs = {}, ...own } = z.toJSONSchema(schema, { io: 'input' });
    Object.assign(definitions, $defs, own.$ref === undefined && { [name]: own });
  }
  const sorted = Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: baseUrl + PROTOCOL_SCHEMAS_PATH,
    title: 'Opbench device protocol',
    description: `What devices sign and boards log. Rules that the schemas cannot express: ${baseUrl}${PROTOCOL_PATH}`,
    $defs: Object.fromEntries(sorted.map(([name, schema]) => [name, plain(schema)])),
  };
}

/** Removes members that are only valid at the top of a document. */
function plain(schema: object): object {
  return { ...schema, $schema: undefined, id: undefined };
}

const known = new Map<ProtocolSchemaName, readonly GuideField[]>();

/** Returns the fields of a schema as readable rows, including the members of source and telemetry. */
export function protocolFields(name: ProtocolSchemaName): readonly GuideField[] {
  const fields = known.get(name) ?? readFields(name);
  known.set(name, fields);
  return fields;
}

function readFields(name: ProtocolSchemaName): GuideField[] {
  const named: Schemas = {};
  const schema = schemaObject(PROTOCOL_SCHEMAS[name], named, 'input');
  const own = schema.$ref === undefined ? schema : (named[name] ?? schema);
  const whole = fieldsOf(own, named).flatMap((field) => {
    const inner = field.type === 'Source' || field.type === 'Telemetry' ? named[field.type] : null;
    return inner ? [field, ...fieldsOf(inner, named, `${field.name}.`)] : [field];
  });
  return whole.map((field) => ({ ...field, href: null }));
}
