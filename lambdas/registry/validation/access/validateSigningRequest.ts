import { X509Certificate } from 'node:crypto';
import type { FieldError } from '../../../objects/FieldError.ts';
import { goQuote } from '../../../objects/go/goQuote.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { parseCertificateRequest } from '../../../objects/certificates/parseCertificateRequest.ts';
import { pemBlocks } from '../../../objects/certificates/pemBlocks.ts';
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
} from '../checks.ts';
import { duplicate, forbidden, invalid, required } from '../fieldErrors.ts';
import { textOf } from '../fieldsOf.ts';
import { certificateOf, conditionsOf, countOf, DECISIONS, typesOf } from './signingConditions.ts';
import { validateSignerName } from './validateSignerName.ts';

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
/** The conditions that, once there, stay; they are never anything but true. */
const LASTING = [...DECISIONS, 'Failed'];
const STATUSES = ['False', 'True', 'Unknown'];

/** A certificate request in PEM, of which JSON carries the base64. */
const pem: Check = (value, path) => {
  const parsed = parseCertificateRequest(textOf(value));
  return parsed.status === 'parsed' ? [] : [invalid(path, textOf(value), parsed.why)];
};

const signerName: Check = (value, path) =>
  value === 'kubernetes.io/legacy-unknown'
    ? [invalid(path, value, 'the legacy signerName is not allowed via this API version')]
    : validateSignerName(textOf(value), path);

/** The rules for what a request asks for, which never changes. Upstream's are in pkg/apis/certificates/validation. */
export const signingRequestSpec: Check = fields({
  request: pem,
  usages: nonEmptyList(
    '',
    all(
      items(enumOf(...USAGES)),
      distinct((usage) => usage),
    ),
  ),
  signerName,
  expirationSeconds: ifPresent(atLeast(MIN_SECONDS, 'may not specify a duration less than 600 seconds (10 minutes)')),
});

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
        ? [invalid('status.conditions', type, 'Approved and Denied conditions are mutually exclusive')]
        : []),
      ...(earlier.includes(type) && !mayRepeat ? [duplicate(`${at}.type`, type)] : []),
    ];
  });
}

/** The errors of an approval: the conditions, and that what was decided stays. */
export function approvalErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  return [...conditionErrors(object, old), ...removalErrors(object, old)];
}

/** What was decided stays. */
function removalErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  return LASTING.filter((type) => countOf(object, type) < countOf(old, type)).map((type) =>
    forbidden('status.conditions', `updates may not remove a condition of type ${goQuote(type)}`),
  );
}

/** What is wrong with a certificate; undefined: nothing. */
function certificateProblem(certificate: string): string | undefined {
  if (certificate === '') return undefined;
  const blocks = pemBlocks(certificate);
  for (const { type, hasHeaders, content } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (content.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    if (!isCertificate(content)) return 'x509: malformed certificate';
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

function isCertificate(der: Buffer): boolean {
  try {
    return new X509Certificate(der).serialNumber !== '';
  } catch {
    // What a signer writes may be anything.
    return false;
  }
}

/** Only `approval` decides, and what was issued stays. */
export function signingStatusErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [given, before] = [certificateOf(object), certificateOf(old)];
  const problem = given === before || certificateProblem(before) !== undefined ? undefined : certificateProblem(given);
  return [
    ...conditionErrors(object, old),
    ...(problem === undefined ? [] : [invalid('status.certificate', '<certificate data>', problem)]),
    ...removalErrors(object, old),
    ...DECISIONS.filter((type) => countOf(object, type) > countOf(old, type)).map((type) =>
      forbidden('status.conditions', `updates may not add a condition of type ${goQuote(type)}`),
    ),
    ...(given !== before && before !== ''
      ? [forbidden('status.certificate', 'updates may not modify existing certificate content')]
      : []),
  ];
}
