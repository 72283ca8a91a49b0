import { container, data, mounted, testErrors } from '../../../support/podErrors.ts';

testErrors({
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
    [
      'a name that only an invalid volume has',
      { volumes: [{ name: 'a', secret: {} }, { name: 'a' }] },
      ['spec.volumes[0].secret.secretName: Required value'],
    ],
    [
      'a mount of an invalid volume',
      mounted({ name: 'data', mountPath: '/d' }, data({ secret: {} })),
      [
        'spec.volumes[0].secret.secretName: Required value',
        'spec.containers[0].volumeMounts[0].name: Not found: "data"',
      ],
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
    [
      'the bundles of signers of other forms',
      data({
        projected: {
          sources: ['', 'me', 'example.com/fine'].map((signerName, index) => ({
            clusterTrustBundle: { signerName, path: `p${index}` },
          })),
        },
      }),
      [
        'spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Required value: must be a valid signer name',
        'spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Required value',
        `spec.volumes[0].projected.sources[1].clusterTrustBundle.signerName: Invalid value: "me": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
      ],
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
});
