import type {
  CertificateSigningRequest as ApiRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestStatus,
} from 'kubernetes-types/certificates/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { copyJson } from '../../objects/json.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { isDns1123Subdomain, isPathSegmentName } from '../../objects/nameFormats.ts';
import { defineResource } from '../defineResource.ts';
import { humanDuration } from '../tables/humanDuration.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import {
  all,
  atLeast,
  type Check,
  distinct,
  enumOf,
  fields,
  ifPresent,
  items,
  nonEmptyList,
  nonEmptyText,
} from '../validation/checks.ts';
import { duplicate, forbidden, invalid, required } from '../validation/fieldErrors.ts';
import { type Fields, fieldsOf, itemsOf, textOf } from '../validation/fieldsOf.ts';
import { pemBlocks } from '../validation/pemBlocks.ts';

type Request = Stored<ApiRequest>;

const MIN_SECONDS = 600;
const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
/** The decisions about a request. Only the subresource `approval` changes them. */
const DECISIONS = ['Approved', 'Denied'];
/** The conditions that, once there, stay; they are never anything but true. */
const LASTING = [...DECISIONS, 'Failed'];
const STATUSES = ['False', 'True', 'Unknown'];

/** A certificate request in PEM, of which JSON carries the base64. */
const pem: Check = (value, path) =>
  pemBlocks(textOf(value))[0]?.type === 'CERTIFICATE REQUEST'
    ? []
    : [invalid(path, textOf(value), 'PEM block type must be CERTIFICATE REQUEST')];

const signerName: Check = (value, path) => {
  const name = textOf(value);
  const slash = name.indexOf('/');
  const [domain, rest] = [name.slice(0, slash), name.slice(slash + 1)];
  if (slash <= 0 || rest === '') {
    return [invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  if (name === 'kubernetes.io/legacy-unknown')
    return [invalid(path, name, 'the legacy signerName is not allowed via this API version')];
  const isFine =
    domain.includes('.') && isDns1123Subdomain(domain).length === 0 && isPathSegmentName(rest).length === 0;
  return isFine
    ? []
    : [invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
};

/** The errors of the conditions by themselves. What is wrong with the old ones is tolerated. */
function conditionErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const before = typesOf(old);
  const mayBeBoth = DECISIONS.every((type) => before.includes(type));
  const mayRepeat = new Set(before).size < before.length;
  const types = typesOf(object);
  return conditionsOf(object).flatMap(({ status }, index) => {
    const at = `status.conditions[${index}]`;
    const type = types[index] ?? '';
    const earlier = types.slice(0, index);
    const isContrary = DECISIONS.includes(type) && DECISIONS.some((one) => one !== type && earlier.includes(one));
    return [
      ...(type === '' && !before.includes('') ? [required(`${at}.type`)] : []),
      ...nonEmptyText('', enumOf(...(LASTING.includes(type) ? ['True'] : STATUSES)))(status, `${at}.status`),
      ...(isContrary && !mayBeBoth
        ? [invalid(`${at}.type`, type, 'Approved and Denied conditions are mutually exclusive')]
        : []),
      ...(earlier.includes(type) && !mayRepeat ? [duplicate(`${at}.type`, type)] : []),
    ];
  });
}

/** What was decided stays. */
function removalErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  return LASTING.filter((type) => countOf(object, type) < countOf(old, type)).map((type) =>
    forbidden('status.conditions', `updates may not remove a condition of type ${JSON.stringify(type)}`),
  );
}

/** What is wrong with a certificate, but for what is in its blocks; undefined: nothing. */
function certificateProblem(certificate: string): string | undefined {
  if (certificate === '') return undefined;
  const blocks = pemBlocks(certificate);
  for (const { type, hasHeaders } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

/** Only `approval` decides, and what was issued stays. */
function statusErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [given, before] = [certificateOf(object), certificateOf(old)];
  const problem = given === before || certificateProblem(before) !== undefined ? undefined : certificateProblem(given);
  return [
    ...conditionErrors(object, old),
    ...(problem === undefined ? [] : [invalid('status.certificate', '<certificate data>', problem)]),
    ...removalErrors(object, old),
    ...DECISIONS.filter((type) => countOf(object, type) > countOf(old, type)).map((type) =>
      forbidden('status.conditions', `updates may not add a condition of type ${JSON.stringify(type)}`),
    ),
    ...(given !== before && before !== ''
      ? [forbidden('status.certificate', 'updates may not modify existing certificate content')]
      : []),
  ];
}

function statusOf(object: KubernetesObject): Fields<CertificateSigningRequestStatus> {
  return fieldsOf<CertificateSigningRequestStatus>(object['status']);
}

function conditionsOf(object: KubernetesObject): readonly Fields<CertificateSigningRequestCondition>[] {
  return itemsOf<CertificateSigningRequestCondition>(statusOf(object).conditions);
}

function certificateOf(object: KubernetesObject): string {
  return textOf(statusOf(object).certificate);
}

function typesOf(object: KubernetesObject): string[] {
  return conditionsOf(object).map(({ type }) => textOf(type));
}

function countOf(object: KubernetesObject, wanted: string): number {
  return typesOf(object).filter((type) => type === wanted).length;
}

/** Gives the decisions their old contents if none came or went. */
function keepDecisions(draft: KubernetesObject, old: KubernetesObject): void {
  const kept = DECISIONS.filter((type) => countOf(old, type) > 0 && countOf(draft, type) === countOf(old, type));
  if (kept.length === 0) return;
  const before = new Map(kept.map((type) => [type, conditionsOf(old).filter((condition) => condition.type === type)]));
  const conditions = conditionsOf(draft).map((condition) => before.get(textOf(condition.type))?.shift() ?? condition);
  draft['status'] = { ...statusOf(draft), conditions: copyJson(conditions) };
}

function conditionCell(object: Request): string {
  const types = typesOf(object);
  const decision = types.find((type) => DECISIONS.includes(type)) ?? 'Pending';
  const isIssued = Boolean(object.status?.certificate);
  return [decision, ...(types.includes('Failed') ? ['Failed'] : []), ...(isIssued ? ['Issued'] : [])].join(',');
}

export const certificateSigningRequests = defineResource({
  group: 'certificates.k8s.io',
  kind: 'CertificateSigningRequest',
  shortNames: ['csr'],
  namespaced: false,
  status: true,
  approval: true,
  check: fields({
    spec: fields({
      request: pem,
      usages: nonEmptyList(
        '',
        all(
          items(enumOf(...USAGES)),
          distinct((usage) => usage),
        ),
      ),
      signerName,
      expirationSeconds: ifPresent(
        atLeast(MIN_SECONDS, 'may not specify a duration less than 600 seconds (10 minutes)'),
      ),
    }),
  }),
  strategy: {
    setRequester(draft, requester) {
      const {
        username: _name,
        uid: _uid,
        groups: _groups,
        extra: _extra,
        ...spec
      } = fieldsOf<NonNullable<Request['spec']>>(draft['spec']);
      draft['spec'] = { ...spec, ...requester };
    },
    prepareForUpdate(draft, old) {
      draft['spec'] = copyJson(old['spec']);
    },
    prepareForStatusUpdate: keepDecisions,
    prepareForApproval(draft, old) {
      const { conditions } = statusOf(draft);
      const { conditions: _conditions, ...status } = statusOf(copyJson(old));
      draft['status'] = { ...status, ...(conditions !== undefined && { conditions }) };
    },
    validateApproval: (object, old) => [...conditionErrors(object, old), ...removalErrors(object, old)],
    validateStatusUpdate: statusErrors,
  },
  table: tableOf<Request>(
    nameCell,
    ageCell,
    cell('SignerName', 'Who is asked to sign.', ({ spec }) => spec.signerName),
    cell('Requestor', 'Who asks.', ({ spec }) => spec.username ?? ''),
    cell('RequestedDuration', 'How long the certificate should be valid.', ({ spec }) =>
      spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
    ),
    cell('Condition', 'What was decided, and whether the certificate is there.', conditionCell),
  ),
});
