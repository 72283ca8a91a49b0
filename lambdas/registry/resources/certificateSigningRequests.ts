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
import { invalid } from '../validation/fieldErrors.ts';
import { fieldsOf, itemsOf, textOf } from '../validation/fieldsOf.ts';

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

/** A certificate request in PEM, of which JSON carries the base64. */
const pem: Check = (value, path) => {
  const text = Buffer.from(textOf(value), 'base64').toString('latin1');
  return /-----BEGIN CERTIFICATE REQUEST-----\s[\s\S]+-----END CERTIFICATE REQUEST-----/.test(text)
    ? []
    : [invalid(path, textOf(value), 'PEM block type must be CERTIFICATE REQUEST')];
};

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

/** A request cannot be approved and denied, and what was decided stays. */
function statusErrors({ status }: KubernetesObject, old: KubernetesObject): FieldError[] {
  const conditions = itemsOf<CertificateSigningRequestCondition>(
    fieldsOf<CertificateSigningRequestStatus>(status).conditions,
  );
  const types = new Set(conditions.map(({ type }) => textOf(type)));
  const isBoth = DECISIONS.every((type) => types.has(type));
  return [
    ...conditions.flatMap(({ type }, index) => nonEmptyText()(type, `status.conditions[${index}].type`)),
    ...(isBoth
      ? [invalid('status.conditions', 'Denied', 'Approved and Denied conditions are mutually exclusive')]
      : []),
    ...conditionsOf(old)
      .filter(({ type }) => [...DECISIONS, 'Failed'].includes(type) && !types.has(type))
      .map(({ type }) => ({
        type: 'FieldValueForbidden' as const,
        field: 'status.conditions',
        detail: `updates may not remove a condition of type ${JSON.stringify(type)}`,
      })),
  ];
}

function conditionsOf(object: KubernetesObject): readonly CertificateSigningRequestCondition[] {
  return (object as Request).status?.conditions ?? [];
}

/** Takes the conditions of some types from one object and the others from another. */
function mergeConditions(draft: KubernetesObject, decisions: KubernetesObject, others: KubernetesObject): void {
  const isDecision = ({ type }: CertificateSigningRequestCondition) => DECISIONS.includes(type);
  const conditions = [
    ...conditionsOf(decisions).filter(isDecision),
    ...conditionsOf(others).filter((condition) => !isDecision(condition)),
  ];
  const { conditions: _conditions, ...status } = fieldsOf<CertificateSigningRequestStatus>(draft['status']);
  draft['status'] = { ...status, ...(conditions.length > 0 && { conditions: copyJson(conditions) }) };
}

function conditionCell(object: Request): string {
  const types = conditionsOf(object).map(({ type }) => type);
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
    prepareForStatusUpdate: (draft, old) => mergeConditions(draft, old, copyJson(draft)),
    prepareForApproval(draft, old) {
      const given = copyJson(draft);
      draft['status'] = copyJson(old['status'] ?? {});
      mergeConditions(draft, given, old);
    },
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
