import { beforeEach, describe, expect, test } from 'vitest';
import { fieldErrorMessage } from '../../../lambdas/objects/FieldError.ts';
import { formatTime } from '../../../lambdas/ports/Clock.ts';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { certificateSigningRequests } from '../../../lambdas/registry/resources/certificateSigningRequests.ts';
import { createErrors, objectOf, rowOf } from '../../support/kindBench.ts';
import { createCertificate, createSigningRequest, pemBase64 } from '../../support/signingRequests.ts';
import { type Api, startApi } from '../startApi.ts';

type Members = Record<string, unknown>;

const PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const PEM = await createSigningRequest();
/** A block with a header, which some parsers pass over, before another. */
const TWO = Buffer.concat([
  Buffer.from(pemBase64('CERTIFICATE REQUEST', 'a: b\n\nMIIB'), 'base64'),
  Buffer.from(PEM, 'base64'),
]).toString('base64');
const CERTIFICATE = await createCertificate();
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const UNTRUE = '[0].status: Unsupported value: "False": supported values: "True"';
const SPEC = { request: PEM, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
const THEN = '2020-01-01T00:00:00Z';
/** Conditions with their times: the API server fills in only those that are missing. */
const times = { lastUpdateTime: THEN, lastTransitionTime: THEN };
const approved = { type: 'Approved', status: 'True', reason: 'KubectlApprove', message: 'fine', ...times };

let api: Api;
beforeEach(async () => {
  api = await startApi();
  await api.call('POST', PATH, request());
});

function request(spec: Members = {}): Members {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'alice' },
    spec: { ...SPEC, ...spec },
  };
}

const put = (subresource: string, status: Members) =>
  api.call('PUT', `${PATH}/alice/${subresource}`, { ...request(), status });

const withStatus = (status: Members) => ({ ...objectOf(certificateSigningRequests, { spec: SPEC }), status });
const cause = (field: string, message: string) => ({ reason: 'FieldValueForbidden', message, field });

describe('a CertificateSigningRequest', () => {
  test('is approved by its own subresource, which changes nothing but conditions', async () => {
    const failed = { type: 'Failed', status: 'True', ...times };
    const { code, body } = await put('approval', { certificate: CERTIFICATE, conditions: [approved, failed] });
    expect([code, body.status]).toEqual([200, { conditions: [approved, failed] }]);
  });

  test.each([
    ['alone', 'CN=alice, O=system:masters'],
    ['beside others', 'CN=alice, O=dev, O=system:masters'],
    ['in one part with others', 'CN=alice, O=dev+O=system:masters'],
  ])('for the group system:masters, %s, is refused when it is made', async (_fact, subject) => {
    const masters = { ...request({ request: await createSigningRequest(subject) }), metadata: { name: 'masters' } };
    for (const query of ['', '?dryRun=All']) {
      const { code, body } = await api.call('POST', PATH + query, masters);
      expect(code).toBe(403);
      expect(body).toMatchObject({
        reason: 'Forbidden',
        message:
          'certificatesigningrequests.certificates.k8s.io "masters" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
        details: { name: 'masters', group: 'certificates.k8s.io', kind: 'certificatesigningrequests' },
      });
    }
    expect((await api.call('GET', `${PATH}/masters`)).code).toBe(404);
  });

  test('for the group system:masters is another signer’s to judge', async () => {
    const spec = { request: await createSigningRequest('O=system:masters'), signerName: 'example.com/own' };
    const { code } = await api.call('POST', PATH, { ...request(spec), metadata: { name: 'masters' } });
    expect(code).toBe(201);
  });

  test('keeps the decision when its status is written', async () => {
    await put('approval', { conditions: [approved] });
    const changed = { ...approved, message: 'other' };
    const failed = { type: 'Failed', status: 'True', ...times };
    const { body } = await put('status', { certificate: CERTIFICATE, conditions: [failed, changed] });
    expect(body.status).toEqual({ certificate: CERTIFICATE, conditions: [failed, approved] });
  });

  test('gets the times that its conditions come without: one that was there before has not changed', async () => {
    const condition = { type: 'example.com/Seen', status: 'True', reason: 'Seen' };
    const now = formatTime(api.clock.now());
    const first = await put('status', { conditions: [condition] });
    expect(first.body.status.conditions).toEqual([{ ...condition, lastUpdateTime: now, lastTransitionTime: now }]);
    api.clock.advanceBy(60_000);
    const later = formatTime(api.clock.now());
    const again = await put('status', { conditions: [condition, { type: 'Failed', status: 'True' }] });
    expect(again.body.status.conditions).toEqual([
      { ...condition, lastUpdateTime: later, lastTransitionTime: now },
      { type: 'Failed', status: 'True', lastUpdateTime: later, lastTransitionTime: later },
    ]);
  });

  test('is not decided by its status, and keeps its certificate', async () => {
    await put('approval', { conditions: [approved] });
    await put('status', { certificate: CERTIFICATE, conditions: [approved] });
    const denied = { type: 'Denied', status: 'True' };
    expect((await put('status', { conditions: [denied] })).body.details.causes).toEqual([
      cause('status.conditions', 'Forbidden: updates may not remove a condition of type "Approved"'),
      cause('status.conditions', 'Forbidden: updates may not add a condition of type "Denied"'),
      cause('status.certificate', 'Forbidden: updates may not modify existing certificate content'),
    ]);
  });

  test('stays decided', async () => {
    await put('approval', { conditions: [approved] });
    const { code, body } = await put('approval', { conditions: [] });
    expect([code, body.details.causes]).toEqual([
      422,
      [cause('status.conditions', 'Forbidden: updates may not remove a condition of type "Approved"')],
    ]);
  });

  test.each<[string, Members[], string[]]>([
    [
      'and denied',
      [approved, { type: 'Denied', status: 'True' }],
      [': Invalid value: "Denied": Approved and Denied conditions are mutually exclusive'],
    ],
    ['twice', [approved, approved], ['[1].type: Duplicate value: "Approved"']],
    ['by a condition that is not true', [{ ...approved, status: 'False' }], [UNTRUE]],
    ['by a condition without a status', [{ type: 'Approved' }], ['[0].status: Required value']],
    [
      'by a condition of no type',
      [{ type: '', status: 'Maybe' }],
      [
        '[0].type: Required value',
        '[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
      ],
    ],
  ])('cannot be approved %s', (_, conditions, messages) => {
    const errors = certificateSigningRequests.strategy.validateApproval?.(withStatus({ conditions }), withStatus({}));
    expect(errors?.map(fieldErrorMessage)).toEqual(messages.map((message) => `status.conditions${message}`));
  });

  test.each([
    ['of nothing', 'QQ==', ['must contain at least one CERTIFICATE PEM block']],
    ['that is a request', PEM, ['only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"']],
    ['with headers', pemBase64('CERTIFICATE', 'a: b\n\nMIIB'), ['no PEM block headers are permitted']],
    ['that is empty', pemBase64('CERTIFICATE', ''), ['found CERTIFICATE PEM block containing 0 certificates']],
    ['whose bytes are no certificate', pemBase64('CERTIFICATE', 'MIIBAAAA'), ['x509: malformed certificate']],
    ['of two blocks (valid)', CERTIFICATE + CERTIFICATE, []],
  ])('a certificate %s', (_, certificate, messages) => {
    const errors = certificateSigningRequests.strategy.validateStatusUpdate?.(
      withStatus({ certificate }),
      withStatus({}),
      new RequestBudget(),
    );
    expect(errors?.map(fieldErrorMessage)).toEqual(
      messages.map((message) => `status.certificate: Invalid value: "<certificate data>": ${message}`),
    );
  });

  test('a certificate that was wrong before is tolerated', () => {
    const old = withStatus({ certificate: 'QQ==' });
    expect(certificateSigningRequests.strategy.validateStatusUpdate?.(old, old, new RequestBudget())).toEqual([]);
  });

  test('never changes what it asks for', async () => {
    const { body } = await api.call('PUT', `${PATH}/alice`, request({ signerName: 'example.com/other' }));
    expect(body.spec.signerName).toBe(SPEC.signerName);
  });

  test('does not say itself who asks', async () => {
    const named = { ...request({ username: 'root', groups: ['system:masters'] }), metadata: { name: 'mallory' } };
    const { body } = await api.call('POST', PATH, named);
    expect(body.spec).toEqual(SPEC);
    const draft = objectOf(certificateSigningRequests, { spec: { ...SPEC, username: 'root' } });
    certificateSigningRequests.strategy.setRequester?.(draft, { username: 'alice', groups: ['dev'] });
    expect(draft['spec']).toEqual({ ...SPEC, username: 'alice', groups: ['dev'] });
  });

  test('discovery names the subresource', async () => {
    const { body } = await api.call('GET', '/apis/certificates.k8s.io/v1');
    const names = body.resources.map(({ name }: { name: string }) => name);
    expect(names).toEqual([
      'certificatesigningrequests',
      'certificatesigningrequests/approval',
      'certificatesigningrequests/status',
    ]);
  });

  test.each<[string, Members, string[]]>([
    [
      'that is no request',
      { request: 'QQ==' },
      ['spec.request: Invalid value: "QQ==": PEM block type must be CERTIFICATE REQUEST'],
    ],
    ['without usages', { usages: [] }, ['spec.usages: Required value']],
    ['with a usage twice', { usages: ['signing', 'signing'] }, ['spec.usages[1]: Duplicate value: "signing"']],
    [
      'that is cut off',
      { request: pemBase64('CERTIFICATE REQUEST', 'MIIBAAAA') },
      [
        `spec.request: Invalid value: "${pemBase64('CERTIFICATE REQUEST', 'MIIBAAAA')}": asn1: syntax error: data truncated`,
      ],
    ],
    [
      'with a block before it that others might read',
      { request: TWO },
      [
        `spec.request: Invalid value: "${TWO}": must be exactly one CERTIFICATE REQUEST PEM block without headers, and nothing else`,
      ],
    ],
    ['for no signer', { signerName: '' }, ['spec.signerName: Required value']],
    [
      'for the signer of old',
      { signerName: 'kubernetes.io/legacy-unknown' },
      [
        'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
      ],
    ],
    ...['me', 'example.com/a/b'].map((signerName): [string, Members, string[]] => [
      `for a signer of another form: ${signerName}`,
      { signerName },
      [
        `spec.signerName: Invalid value: "${signerName}": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
      ],
    ]),
    [
      'for a signer without a domain',
      { signerName: 'me/' },
      [
        'spec.signerName: Invalid value: "me": should be a domain with at least two segments separated by dots',
        `spec.signerName: Invalid value: "": validating label "": ${SUBDOMAIN}`,
      ],
    ],
    [
      'for a signer of wrong parts',
      { signerName: 'A.B.com/fine.Not' },
      [
        `spec.signerName: Invalid value: "A.B.com": validating label "A": ${LABEL}`,
        `spec.signerName: Invalid value: "fine.Not": validating label "Not": ${SUBDOMAIN}`,
      ],
    ],
    [
      'for a signer of a long domain',
      { signerName: `${'a.'.repeat(127)}com/x` },
      ['spec.signerName: Too long: may not be more than 253 bytes'],
    ],
    [
      'for a signer of a long name',
      { signerName: `example.com/${'a.'.repeat(300)}x` },
      ['spec.signerName: Too long: may not be more than 571 bytes'],
    ],
    [
      'for a moment',
      { expirationSeconds: 5 },
      ['spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 600 seconds (10 minutes)'],
    ],
  ])('%s is refused', (_, spec, messages) => {
    expect(createErrors(certificateSigningRequests, { spec: { ...SPEC, ...spec } })).toEqual(messages);
  });

  test('is printed', () => {
    const status = { certificate: PEM, conditions: [approved] };
    expect(
      rowOf(certificateSigningRequests, { spec: { ...SPEC, username: 'alice', expirationSeconds: 3600 }, status }),
    ).toEqual({
      Name: 'x',
      Age: '60s',
      SignerName: SPEC.signerName,
      Requestor: 'alice',
      RequestedDuration: '60m',
      Condition: 'Approved,Issued',
    });
    expect(rowOf(certificateSigningRequests, { spec: SPEC })).toMatchObject({
      RequestedDuration: '<none>',
      Condition: 'Pending',
    });
  });
});

test('ComponentStatuses are deprecated, and say that what does their work is there', async () => {
  const { body, headers } = await api.call('GET', '/api/v1/componentstatuses');
  expect([body.kind, body.metadata]).toEqual(['ComponentStatusList', { resourceVersion: '' }]);
  const healthy = [{ type: 'Healthy', status: 'True', message: 'ok' }];
  expect(body.items).toMatchObject(
    ['controller-manager', 'scheduler', 'etcd-0'].map((name) => ({ metadata: { name }, conditions: healthy })),
  );
  expect(headers.get('warning')).toBe('299 - "v1 ComponentStatus is deprecated in v1.19+"');
  expect((await api.call('GET', '/api/v1/componentstatuses/etcd-0')).body.conditions).toEqual(healthy);
  const gone = await api.call('GET', '/api/v1/componentstatuses/etcd-1');
  expect([gone.code, gone.body.message]).toEqual([404, 'componentstatuses "etcd-1" not found']);
});

describe('APIServices', () => {
  const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

  test('list what this server answers itself', async () => {
    const { code, body } = await api.call('GET', SERVICES);
    expect([code, body.kind]).toEqual([200, 'APIServiceList']);
    const names = body.items.map((one: { metadata: { name: string } }) => one.metadata.name);
    expect(names).toEqual(expect.arrayContaining(['v1.', 'v1.apps', 'v2.autoscaling', 'v1.policy']));
    const { body: apps } = await api.call('GET', `${SERVICES}/v1.apps`);
    expect(apps).toMatchObject({
      spec: { group: 'apps', version: 'v1', groupPriorityMinimum: 17_800 },
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
    });
  });

  test('are selected by name, and there are no others', async () => {
    const { body } = await api.call('GET', `${SERVICES}?fieldSelector=metadata.name=v1.apps`);
    expect(body.items).toHaveLength(1);
    expect((await api.call('GET', `${SERVICES}/v1.metrics.k8s.io`)).code).toBe(404);
    expect((await api.call('DELETE', `${SERVICES}/v1.apps`)).code).toBe(405);
  });

  test('are printed', async () => {
    const { body } = await api.call('GET', `${SERVICES}/v1.apps`, undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    expect(body.rows[0].cells.slice(0, 3)).toEqual(['v1.apps', 'Local', 'True']);
  });
});
