/**
 * How a strategic merge patch treats lists and structs: the `patchStrategy` and `patchMergeKey` of Kubernetes' API types, as `strategies key`. A field that
 * is not named here is replaced if it is a list, and merged member by member if it is an object.
 */
export const mergeStrategies: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'meta.v1.ObjectMeta': { finalizers: 'merge', ownerReferences: 'merge uid' },
  'core.v1.PodSpec': {
    volumes: 'merge,retainKeys name',
    initContainers: 'merge name',
    containers: 'merge name',
    ephemeralContainers: 'merge name',
    imagePullSecrets: 'merge name',
    hostAliases: 'merge ip',
    topologySpreadConstraints: 'merge topologyKey',
    schedulingGates: 'merge name',
    resourceClaims: 'merge,retainKeys name',
  },
  'core.v1.Container': {
    ports: 'merge containerPort',
    env: 'merge name',
    volumeMounts: 'merge mountPath',
    volumeDevices: 'merge devicePath',
  },
  'core.v1.EphemeralContainerCommon': {
    ports: 'merge containerPort',
    env: 'merge name',
    volumeMounts: 'merge mountPath',
    volumeDevices: 'merge devicePath',
  },
  'core.v1.PodStatus': {
    conditions: 'merge type',
    hostIPs: 'merge ip',
    podIPs: 'merge ip',
    resourceClaimStatuses: 'merge,retainKeys name',
  },
  'core.v1.ReplicationControllerStatus': { conditions: 'merge type' },
  'core.v1.ServiceSpec': { ports: 'merge port' },
  'core.v1.ServiceStatus': { conditions: 'merge type' },
  'core.v1.ServiceAccount': { secrets: 'merge name' },
  'core.v1.NodeSpec': { podCIDRs: 'merge' },
  'core.v1.NodeStatus': { conditions: 'merge type', addresses: 'merge type' },
  'core.v1.NamespaceStatus': { conditions: 'merge type' },
  'apps.v1.DeploymentSpec': { strategy: 'retainKeys' },
  'apps.v1.DeploymentStatus': { conditions: 'merge type' },
  'apps.v1.ReplicaSetStatus': { conditions: 'merge type' },
  'apps.v1beta2.DeploymentSpec': { strategy: 'retainKeys' },
  'apps.v1beta2.DeploymentStatus': { conditions: 'merge type' },
  'apps.v1beta2.ReplicaSetStatus': { conditions: 'merge type' },
  'apps.v1beta1.DeploymentSpec': { strategy: 'retainKeys' },
  'apps.v1beta1.DeploymentStatus': { conditions: 'merge type' },
  'extensions.v1beta1.DeploymentSpec': { strategy: 'retainKeys' },
  'extensions.v1beta1.DeploymentStatus': { conditions: 'merge type' },
  'extensions.v1beta1.ReplicaSetStatus': { conditions: 'merge type' },
};
