import { describe, expect, it } from 'vitest';
import { fieldErrorMessage } from '../../../lambdas/objects/FieldError.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { applyPodDefaults } from '../../../lambdas/registry/defaulting/applyPodDefaults.ts';
import { validatePod } from '../../../lambdas/registry/validation/validatePod.ts';

type Changes = Readonly<Record<string, unknown>>;

function errorsOf(spec: Changes, metadata: Changes = {}): string[] {
  const pod = structuredClone({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', ...metadata },
    spec: { containers: [{ name: 'web', image: 'nginx' }], ...spec },
  }) as unknown as KubernetesObject;
  applyPodDefaults(pod);
  return validatePod(pod).map(fieldErrorMessage);
}

const container = (changes: Changes) => ({ containers: [{ name: 'web', image: 'nginx', ...changes }] });
const data = (source: Changes) => ({ volumes: [{ name: 'data', ...source }] });
const mounted = (mount: Changes, volumes: Changes = data({ emptyDir: {} })) => ({
  ...volumes,
  ...container({ volumeMounts: [{ name: 'data', mountPath: '/data', ...mount }] }),
});
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

// Rows cite the functions of pkg/apis/core/validation whose behaviour they match.
const tables: Readonly<Record<string, readonly (readonly [string, Changes, readonly string[]])[]>> = {
  validateContainerCommon: [
    ['a plain container (valid)', {}, []],
    ['no containers', { containers: [] }, ['spec.containers: Required value']],
    [
      'no name and no image',
      { containers: [{}] },
      ['spec.containers[0].name: Required value', 'spec.containers[0].image: Required value'],
    ],
    ['a name in capitals', container({ name: 'Web' }), [`spec.containers[0].name: Invalid value: "Web": ${LABEL}`]],
    [
      'a dotted name',
      container({ name: 'a.b' }),
      ['spec.containers[0].name: Invalid value: "a.b": must not contain dots'],
    ],
    [
      'a name too long',
      container({ name: 'a'.repeat(64) }),
      [`spec.containers[0].name: Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters`],
    ],
    [
      'the same name twice',
      {
        containers: [
          { name: 'a', image: 'x' },
          { name: 'a', image: 'y' },
        ],
      },
      ['spec.containers[1].name: Duplicate value: "a"'],
    ],
    [
      'an init container of the same name',
      { initContainers: [{ name: 'web', image: 'x' }] },
      ['spec.initContainers[0].name: Duplicate value: "web"'],
    ],
    [
      'a padded image',
      container({ image: ' nginx' }),
      ['spec.containers[0].image: Invalid value: " nginx": must not have leading or trailing whitespace'],
    ],
    [
      'an unknown pull policy',
      container({ imagePullPolicy: 'Sometimes' }),
      [
        'spec.containers[0].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
      ],
    ],
    [
      'a restart policy of a regular container',
      container({ restartPolicy: 'Always' }),
      ['spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers'],
    ],
  ],
  validateInitContainers: [
    [
      'a sidecar with a probe (valid)',
      {
        initContainers: [
          { name: 'a', image: 'x', restartPolicy: 'Always', readinessProbe: { exec: { command: ['true'] } } },
        ],
      },
      [],
    ],
    [
      'a probe of an init container that is not a sidecar',
      { initContainers: [{ name: 'a', image: 'x', livenessProbe: { exec: { command: ['true'] } } }] },
      [
        'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
      ],
    ],
    [
      'an unknown restart policy of an init container',
      { initContainers: [{ name: 'a', image: 'x', restartPolicy: 'Never' }] },
      ['spec.initContainers[0].restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ],
  ],
  validateContainerPorts: [
    ['a named port (valid)', container({ ports: [{ name: 'http', containerPort: 80 }] }), []],
    ['no number', container({ ports: [{}] }), ['spec.containers[0].ports[0].containerPort: Required value']],
    [
      'a number too high',
      container({ ports: [{ containerPort: 65_536 }] }),
      ['spec.containers[0].ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive'],
    ],
    [
      'a name too long',
      container({ ports: [{ name: 'a-name-much-too-long', containerPort: 80 }] }),
      ['spec.containers[0].ports[0].name: Invalid value: "a-name-much-too-long": must be no more than 15 characters'],
    ],
    [
      'a name twice',
      container({
        ports: [
          { name: 'a', containerPort: 1 },
          { name: 'a', containerPort: 2 },
        ],
      }),
      ['spec.containers[0].ports[1].name: Duplicate value: "a"'],
    ],
    [
      'an unknown protocol',
      container({ ports: [{ containerPort: 80, protocol: 'HTTP' }] }),
      ['spec.containers[0].ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"'],
    ],
    [
      'a host port twice',
      container({
        ports: [
          { containerPort: 1, hostPort: 80 },
          { containerPort: 2, hostPort: 80 },
        ],
      }),
      ['spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//80"'],
    ],
    [
      'another host port in the host network',
      { hostNetwork: true, ...container({ ports: [{ containerPort: 80, hostPort: 81 }] }) },
      [
        'spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true',
      ],
    ],
  ],
  ValidateEnv: [
    ['a name with a dash (valid)', container({ env: [{ name: 'a-b.c', value: '1' }] }), []],
    ['no name', container({ env: [{}] }), ['spec.containers[0].env[0].name: Required value']],
    [
      'a name with an equals sign',
      container({ env: [{ name: 'a=b' }] }),
      [
        'spec.containers[0].env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
      ],
    ],
    [
      'a value and a source',
      container({ env: [{ name: 'a', value: 'b', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
      ['spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty'],
    ],
    [
      'an empty source',
      container({ env: [{ name: 'a', valueFrom: {} }] }),
      [
        'spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      ],
    ],
    [
      'an unknown field',
      container({ env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: 'spec.wishes' } } }] }),
      [
        'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.wishes": error converting fieldPath: field label not supported: spec.wishes',
      ],
    ],
    [
      'a label of the pod (valid)',
      container({ env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } }] }),
      [],
    ],
    [
      'a key without a name',
      container({ env: [{ name: 'a', valueFrom: { configMapKeyRef: { name: 'web' } } }] }),
      ['spec.containers[0].env[0].valueFrom.configMapKeyRef.key: Required value'],
    ],
    [
      'variables without a source',
      container({ envFrom: [{}] }),
      ['spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`'],
    ],
  ],
  ValidateVolumeMounts: [
    ['a mount (valid)', mounted({}), []],
    [
      'a mount of an unknown volume',
      mounted({ name: 'other' }),
      ['spec.containers[0].volumeMounts[0].name: Not found: "other"'],
    ],
    ['nowhere', mounted({ mountPath: '' }), ['spec.containers[0].volumeMounts[0].mountPath: Required value']],
    [
      'two mounts at one path',
      {
        ...data({ emptyDir: {} }),
        ...container({
          volumeMounts: [
            { name: 'data', mountPath: '/a' },
            { name: 'data', mountPath: '/a' },
          ],
        }),
      },
      ['spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/a": must be unique'],
    ],
    [
      'a path that leaves the volume',
      mounted({ subPath: '../etc' }),
      ['spec.containers[0].volumeMounts.subPath: Invalid value: "../etc": must not contain \'..\''],
    ],
  ],
  ValidateVolumes: [
    ['a volume without a source is an emptyDir (valid)', data({}), []],
    [
      'two sources',
      data({ emptyDir: {}, secret: { secretName: 'web' } }),
      ['spec.volumes[0].secret: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'the same name twice',
      { volumes: [{ name: 'a' }, { name: 'a' }] },
      ['spec.volumes[1].name: Duplicate value: "a"'],
    ],
    ['a secret without a name', data({ secret: {} }), ['spec.volumes[0].secret.secretName: Required value']],
    ['a config map without a name', data({ configMap: {} }), ['spec.volumes[0].configMap.name: Required value']],
    [
      'an invalid mode',
      data({ configMap: { name: 'web', defaultMode: 512 } }),
      [
        'spec.volumes[0].configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
      ],
    ],
    [
      'an unknown type of path',
      data({ hostPath: { path: '/data', type: 'Any' } }),
      [
        'spec.volumes[0].hostPath.type: Unsupported value: "Any": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
      ],
    ],
    [
      'an ephemeral volume without a request',
      data({ ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } }),
      ['spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value'],
    ],
    [
      'two files at one path',
      data({
        projected: {
          sources: [
            { secret: { name: 'a', items: [{ key: 'k', path: 'p' }] } },
            { configMap: { name: 'b', items: [{ key: 'k', path: 'p' }] } },
          ],
        },
      }),
      ['spec.volumes[0].projected: Invalid value: "b": conflicting duplicate paths'],
    ],
  ],
  validateVolumeSource: [
    [
      'a disk of the cloud without a name',
      data({ gcePersistentDisk: {} }),
      ['spec.volumes[0].persistentDisk.pdName: Required value'],
    ],
    [
      'a second source, with the misspelling of Kubernetes',
      data({ emptyDir: {}, downwardAPI: {} }),
      ['spec.volumes[0].downwarAPI: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'a managed disk with the URI of a blob',
      data({ azureDisk: { diskName: 'a', diskURI: 'https://a', kind: 'Managed' } }),
      [
        'spec.volumes[0].azureDisk.diskURI: Unsupported value: "https://a": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
      ],
    ],
    [
      'an invalid target',
      data({ iscsi: { targetPortal: '10.0.0.1', iqn: 'iqn.2001', lun: 256 } }),
      [
        'spec.volumes[0].iscsi.iqn: Invalid value: "iqn.2001": must be valid format',
        'spec.volumes[0].iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
      ],
    ],
    [
      'a fibre channel without targets',
      data({ fc: {} }),
      ['spec.volumes[0].fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both'],
    ],
    ['a registry with its port (valid)', data({ quobyte: { registry: 'a:1,[::1]:2', volume: 'v' } }), []],
    [
      'a claim template with a name',
      data({
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { name: 'mine' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        },
      }),
      ['spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set'],
    ],
  ],
  validateResourceRequirements: [
    ['limits alone (valid)', container({ resources: { limits: { cpu: '1', memory: '1Gi' } } }), []],
    [
      'a request above its limit',
      container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1500m' } } }),
      ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1500m'],
    ],
    [
      'a request below its limit for a resource that cannot be overcommitted',
      container({ resources: { requests: { 'example.com/gpu': 1 }, limits: { 'example.com/gpu': 2 } } }),
      ['spec.containers[0].resources.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2'],
    ],
    [
      'an unknown resource',
      container({ resources: { limits: { luck: '1' } } }),
      [
        'spec.containers[0].resources.limits[luck]: Invalid value: "luck": must be a standard resource type or fully qualified',
        'spec.containers[0].resources.limits[luck]: Invalid value: "luck": must be a standard resource for containers',
        'spec.containers[0].resources.requests[luck]: Invalid value: "luck": must be a standard resource type or fully qualified',
        'spec.containers[0].resources.requests[luck]: Invalid value: "luck": must be a standard resource for containers',
      ],
    ],
    [
      'a negative amount',
      container({ resources: { requests: { memory: '-1Mi' } } }),
      ['spec.containers[0].resources.requests[memory]: Invalid value: "-1Mi": must be greater than or equal to 0'],
    ],
  ],
  validateProbe: [
    [
      'a probe without a handler',
      container({ livenessProbe: {} }),
      ['spec.containers[0].livenessProbe: Required value: must specify a handler type'],
    ],
    [
      'a probe with two handlers',
      container({ livenessProbe: { exec: { command: ['true'] }, tcpSocket: { port: 80 } } }),
      ['spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type'],
    ],
    [
      'a probe with an invalid port name',
      container({ readinessProbe: { httpGet: { port: 'HTTP_PORT' } } }),
      [
        'spec.containers[0].readinessProbe.httpGet.port: Invalid value: "HTTP_PORT": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.containers[0].readinessProbe.httpGet.port: Invalid value: "HTTP_PORT": must contain at least one letter (a-z)',
      ],
    ],
    [
      'a liveness probe that must succeed twice',
      container({ livenessProbe: { tcpSocket: { port: 80 }, successThreshold: 2 } }),
      ['spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1'],
    ],
    [
      'a sleep beyond the grace period',
      { terminationGracePeriodSeconds: 5, ...container({ lifecycle: { preStop: { sleep: { seconds: 9 } } } }) },
      [
        'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 9: must be greater than 0 and less than terminationGracePeriodSeconds (5). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.',
      ],
    ],
  ],
  ValidatePodSpec: [
    [
      'an unknown restart policy',
      { restartPolicy: 'Maybe' },
      ['spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"'],
    ],
    [
      'an unknown DNS policy',
      { dnsPolicy: 'Any' },
      [
        'spec.dnsPolicy: Unsupported value: "Any": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
      ],
    ],
    [
      'no DNS configuration with the policy None',
      { dnsPolicy: 'None' },
      ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
    ],
    [
      'a deadline of zero',
      { activeDeadlineSeconds: 0 },
      ['spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
    ],
    ['a dotted host name', { hostname: 'a.b' }, ['spec.hostname: Invalid value: "a.b": must not contain dots']],
    [
      'a service account in capitals',
      { serviceAccountName: 'Web' },
      [`spec.serviceAccountName: Invalid value: "Web": ${SUBDOMAIN}`],
    ],
    [
      'a host alias with an invalid address',
      { hostAliases: [{ ip: 'home', hostnames: ['web'] }] },
      ['spec.hostAliases[0].ip: Invalid value: "home": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ],
    [
      'ephemeral containers on create',
      { ephemeralContainers: [{ name: 'debug', image: 'x' }] },
      ['spec.ephemeralContainers: Forbidden: cannot be set on create'],
    ],
    [
      'a node before the scheduling gates are removed',
      { nodeName: 'node-1', schedulingGates: [{ name: 'wait' }] },
      ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
    ],
    [
      'a Linux field in a Windows pod',
      { os: { name: 'windows' }, securityContext: { runAsUser: 1 } },
      ['spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod'],
    ],
    [
      'an unknown operating system',
      { os: { name: 'beos' } },
      ['spec.os: Unsupported value: "beos": supported values: "linux", "windows"'],
    ],
  ],
  ValidateTolerations: [
    ['tolerating everything (valid)', { tolerations: [{ operator: 'Exists' }] }, []],
    [
      'an empty toleration',
      { tolerations: [{ value: 'a' }] },
      [
        'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ],
    ],
    [
      'toleration seconds without the effect NoExecute',
      { tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 5 }] },
      ['spec.tolerations[0].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set'],
    ],
  ],
  validateAffinity: [
    [
      'no node selector terms',
      { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } } },
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
      ],
    ],
    [
      'a weight too heavy',
      {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 101, podAffinityTerm: { topologyKey: 'zone' } },
            ],
          },
        },
      },
      [
        'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
      ],
    ],
  ],
  validateTopologySpreadConstraints: [
    [
      'neither skew nor action',
      { topologySpreadConstraints: [{ topologyKey: 'zone' }] },
      [
        'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
        'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"',
      ],
    ],
    [
      'the same constraint twice',
      {
        topologySpreadConstraints: [1, 2].map((maxSkew) => ({
          maxSkew,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
        })),
      },
      ['spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"'],
    ],
  ],
};

for (const [source, rows] of Object.entries(tables)) {
  describe(`${source}:`, () => {
    it.each(rows)('gives the errors of Kubernetes for %s', (_, spec, expected) => {
      expect(errorsOf(spec)).toEqual(expected);
    });
  });
}

describe('ValidatePodSpecificAnnotations:', () => {
  it.each<[string, readonly string[]]>([
    ['-5', []],
    ['0', []],
    ['+5', ['must be a 32bit integer']],
    ['05', ['must be a 32bit integer']],
    ['cheap', ['must be a 32bit integer']],
    ['2147483648', ['must be a 32bit integer']],
  ])('gives the errors of Kubernetes for a deletion cost of %j', (cost, expected) => {
    const key = 'controller.kubernetes.io/pod-deletion-cost';
    expect(errorsOf({}, { annotations: { [key]: cost } })).toEqual(
      expected.map((detail) => `metadata.annotations[${key}]: Invalid value: "${cost}": ${detail}`),
    );
  });
});
