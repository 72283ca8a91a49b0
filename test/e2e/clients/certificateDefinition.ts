/** A part of a definition. */
type Json = Readonly<Record<string, unknown>>;

const text = (description: string, more: Json = {}): Json => ({ type: 'string', description, ...more });
const texts = (description: string, more: Json = {}): Json => ({
  type: 'array',
  description,
  items: { type: 'string', ...more },
});
const reference = (description: string): Json => ({
  type: 'object',
  description,
  required: ['name'],
  properties: {
    name: text('The name of the Secret.'),
    key: text('The entry of the Secret.'),
  },
});
const keystore = (description: string): Json => ({
  type: 'object',
  description,
  required: ['create', 'passwordSecretRef'],
  properties: {
    create: { type: 'boolean', description: 'Whether a keystore is written.' },
    passwordSecretRef: reference('The password of the keystore.'),
  },
});
const names = (description: string): Json => ({
  type: 'object',
  description,
  properties: { dnsDomains: texts('Names.'), ipRanges: texts('Ranges.'), uriDomains: texts('Domains of URIs.') },
});

const PRIVATE_KEY: Json = {
  type: 'object',
  description: 'How the private key is made.',
  default: {},
  properties: {
    algorithm: text('The algorithm of the key.', { enum: ['RSA', 'ECDSA', 'Ed25519'], default: 'RSA' }),
    encoding: text('The encoding of the key.', { enum: ['PKCS1', 'PKCS8'] }),
    rotationPolicy: text('When the key is made anew.', { enum: ['Never', 'Always'], default: 'Always' }),
    size: { type: 'integer', description: 'The size of the key in bits.' },
  },
  'x-kubernetes-validations': [
    { rule: "self.algorithm != 'Ed25519' || !has(self.size)", message: 'an Ed25519 key has no size' },
    {
      rule: "self.algorithm != 'RSA' || !has(self.size) || self.size in [2048, 4096, 8192]",
      messageExpression: "self.algorithm + ' keys have 2048, 4096 or 8192 bits'",
      fieldPath: '.size',
      reason: 'FieldValueInvalid',
    },
  ],
};

const SPEC: Json = {
  type: 'object',
  description: 'What is asked for.',
  required: ['issuerRef', 'secretName'],
  properties: {
    additionalOutputFormats: {
      type: 'array',
      description: 'Other forms in which the certificate is stored.',
      items: {
        type: 'object',
        required: ['type'],
        properties: { type: text('The form.', { enum: ['DER', 'CombinedPEM'] }) },
      },
    },
    commonName: text('The common name.', { maxLength: 64 }),
    dnsNames: texts('The DNS names.'),
    duration: text('How long the certificate is valid.', { default: '2160h' }),
    emailAddresses: texts('The addresses of mail.'),
    encodeUsagesInRequest: { type: 'boolean', description: 'Whether the request names the usages.' },
    ipAddresses: texts('The IP addresses.'),
    isCA: { type: 'boolean', description: 'Whether it may sign others.' },
    issuerRef: {
      type: 'object',
      description: 'Who signs it.',
      required: ['name'],
      properties: {
        group: text('The group of the issuer.'),
        kind: text('The kind of the issuer.', { default: 'Issuer' }),
        name: text('The name of the issuer.'),
      },
    },
    keystores: {
      type: 'object',
      description: 'Keystores to write besides.',
      properties: { jks: keystore('For Java.'), pkcs12: keystore('In the form PKCS#12.') },
    },
    literalSubject: text('The subject as RFC 4514 writes it.'),
    nameConstraints: {
      type: 'object',
      description: 'What a CA may sign.',
      properties: {
        critical: { type: 'boolean', description: 'Whether the constraint must be understood.' },
        excluded: names('What it may not sign.'),
        permitted: names('What it may sign.'),
      },
    },
    otherNames: {
      type: 'array',
      description: 'Names of other types.',
      items: { type: 'object', properties: { oid: text('The type.'), utf8Value: text('The name.') } },
    },
    privateKey: PRIVATE_KEY,
    renewBefore: text('How long before its end it is renewed.'),
    renewBeforePercentage: { type: 'integer', format: 'int32', description: 'The same in percent of its life.' },
    revisionHistoryLimit: { type: 'integer', format: 'int32', minimum: 1, description: 'How many requests are kept.' },
    secretName: text('Where it is stored.'),
    secretTemplate: {
      type: 'object',
      description: 'What the Secret has besides.',
      properties: {
        annotations: { type: 'object', additionalProperties: { type: 'string' } },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
    subject: {
      type: 'object',
      description: 'The parts of the subject.',
      properties: Object.fromEntries(
        ['countries', 'localities', 'organizations', 'organizationalUnits', 'postalCodes', 'provinces'].map((part) => [
          part,
          texts(`Its ${part}.`),
        ]),
      ),
    },
    uris: texts('The URIs.'),
    usages: texts('What the key is for.', {
      enum: ['signing', 'digital signature', 'server auth', 'client auth', 'cert sign'],
    }),
  },
  'x-kubernetes-validations': [
    {
      rule: '!(has(self.renewBefore) && has(self.renewBeforePercentage))',
      message: 'renewBefore and renewBeforePercentage exclude each other',
    },
    {
      rule: '!has(self.renewBefore) || duration(self.renewBefore) < duration(self.duration)',
      message: 'a certificate is renewed before it ends',
    },
    {
      rule: 'self.secretName == oldSelf.secretName',
      message: 'the Secret stays the same',
      reason: 'FieldValueForbidden',
    },
  ],
};

const STATUS: Json = {
  type: 'object',
  properties: {
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {
        type: 'object',
        required: ['status', 'type'],
        properties: {
          lastTransitionTime: { type: 'string', format: 'date-time' },
          message: { type: 'string' },
          observedGeneration: { type: 'integer', format: 'int64' },
          reason: { type: 'string' },
          status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
          type: { type: 'string' },
        },
      },
    },
    notAfter: { type: 'string', format: 'date-time' },
    notBefore: { type: 'string', format: 'date-time' },
    renewalTime: { type: 'string', format: 'date-time' },
    revision: { type: 'integer' },
  },
};

const column = (name: string, jsonPath: string, more: Json = {}): Json => ({ name, jsonPath, type: 'string', ...more });

/** A definition in the shape of cert-manager's Certificate, with rules in CEL for what its webhook checks. */
export const CERTIFICATE_DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'certificates.cert-manager.io' },
  spec: {
    group: 'cert-manager.io',
    scope: 'Namespaced',
    names: {
      kind: 'Certificate',
      listKind: 'CertificateList',
      plural: 'certificates',
      singular: 'certificate',
      shortNames: ['cert', 'certs'],
      categories: ['cert-manager'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        selectableFields: [{ jsonPath: '.spec.issuerRef.name' }],
        additionalPrinterColumns: [
          column('Ready', '.status.conditions[?(@.type == "Ready")].status'),
          column('Secret', '.spec.secretName'),
          column('Issuer', '.spec.issuerRef.name', { priority: 1 }),
          column('Age', '.metadata.creationTimestamp', { type: 'date' }),
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A certificate that is kept up to date and stored in a Secret.',
            properties: {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              metadata: { type: 'object' },
              spec: SPEC,
              status: STATUS,
            },
          },
        },
      },
    ],
  },
} as const;
