import { bootstrapTokenSecret } from '../../support/bootstrapTokenSecret.ts';
import { createSigningRequest } from '../../support/signingRequests.ts';
import { widget, widgetDefinition } from '../../support/widgetDefinition.ts';
import { named, pod, service, withSpec, workload } from './manifests.ts';
import type { PlanBench } from './PlanBench.ts';
import type { Stories } from './Story.ts';

const REQUESTS = 'certificatesigningrequests.certificates.k8s.io';
const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';
const DAY_MS = 24 * 3_600_000;

/** An administrator asks for the certificate of a kubelet. */
async function askForCertificate(bench: PlanBench): Promise<void> {
  const spec = {
    username: 'ann',
    groups: ['system:masters'],
    request: await createSigningRequest(),
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['client auth', 'digital signature'],
  };
  const metadata = { name: 'worker' };
  await bench.create(REQUESTS, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata,
    spec,
  });
}

/** What the controllers of the cluster and of its network have to do. */
export const CLUSTER_STORIES = {
  garbagecollector: {
    'removes the pods of an owner that is gone': {
      begin: (bench) => bench.create('replicasets.apps', workload('ReplicaSet', { replicas: 2 })),
      change: (bench) => bench.delete('replicasets.apps', 'web'),
    },
  },
  namespace: {
    'empties a namespace': {
      begin: async (bench) => {
        await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
        const { metadata, ...rest } = workload('ReplicaSet', { replicas: 2 });
        await bench.create('replicasets.apps', { ...rest, metadata: { ...metadata, namespace: 'team' } });
      },
      change: (bench) => bench.delete('namespaces', 'team', ''),
    },
  },
  serviceaccount: {
    'furnishes a namespace': {
      change: (bench) =>
        bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }),
    },
  },
  resourcequota: {
    'counts the pods': {
      begin: (bench) =>
        bench.create('resourcequotas', named('ResourceQuota', 'small', { spec: { hard: { pods: '5' } } })),
      change: async (bench) => {
        await bench.create('pods', pod('one'));
        await bench.create('pods', pod('two'));
        await bench.delete('pods', 'one');
      },
    },
  },
  customresourcedefinition: {
    'establishes a definition': { change: (bench) => bench.create(DEFINITIONS, widgetDefinition()) },
    'removes what is of a definition': {
      begin: async (bench) => {
        await bench.create(DEFINITIONS, widgetDefinition());
        await bench.run(10_000);
        await bench.create('widgets.example.com', widget('red'));
      },
      change: (bench) => bench.delete(DEFINITIONS, 'widgets.example.com', ''),
    },
  },
  endpoint: {
    'has the addresses of the pods': {
      begin: (bench) => bench.create('replicasets.apps', workload('ReplicaSet', { replicas: 2 })),
      change: async (bench) => {
        await bench.create('services', service());
        await bench.update('replicasets.apps', 'web', withSpec({ replicas: 1 }));
      },
    },
  },
  endpointslice: {
    'has the addresses of the pods': {
      trustsReads: true,
      begin: (bench) => bench.create('replicasets.apps', workload('ReplicaSet', { replicas: 2 })),
      change: async (bench) => {
        await bench.create('services', service());
        await bench.update('replicasets.apps', 'web', withSpec({ replicas: 1 }));
      },
    },
  },
  endpointslicemirroring: {
    'shows what somebody writes': {
      change: async (bench) => {
        await bench.create('services', service({}));
        const subsets = [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }];
        await bench.create('endpoints', named('Endpoints', 'web', { subsets }));
        await bench.update('endpoints', 'web', () => ({
          subsets: [{ addresses: [{ ip: '10.0.0.2' }], ports: [{ port: 80 }] }],
        }));
      },
    },
  },
  validatingadmissionpolicystatus: {
    'looks at the expressions of a policy': {
      change: (bench) => {
        const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['*'] }];
        return bench.create('validatingadmissionpolicies.admissionregistration.k8s.io', {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicy',
          metadata: { name: 'small' },
          spec: { matchConstraints: { resourceRules }, validations: [{ expression: 'true' }] },
        });
      },
    },
  },
  csrapproving: { 'approves the request of a kubelet': { change: askForCertificate } },
  csrsigning: { 'signs what was approved': { change: askForCertificate } },
  csrcleaner: {
    'removes an old request': {
      begin: askForCertificate,
      change: async (bench) => bench.clock.advanceBy(2 * DAY_MS),
      without: ['csrapproving'],
    },
  },
  bootstrapsigner: {
    'signs for a new token': {
      begin: (bench) =>
        bench.create('configmaps', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace: 'kube-public', name: 'cluster-info' },
          data: { kubeconfig: 'kind: Config' },
        }),
      change: (bench) => bench.create('secrets', bootstrapTokenSecret({ expiration: '2027-01-01T00:00:00Z' })),
    },
  },
  tokencleaner: {
    'removes a token that has ended': {
      change: (bench) => bench.create('secrets', bootstrapTokenSecret({ expiration: '2026-01-01T00:00:00Z' })),
    },
  },
} satisfies Readonly<Record<string, Stories>>;
