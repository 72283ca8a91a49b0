import { container, LABEL, testErrors } from '../../../support/podErrors.ts';

testErrors({
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
});
