/** The types of storage.k8s.io, in the notation of parseField.ts. */
export const storageTypes = {
  'storage.v1': {
    CSIDriver: 'metadata:1:meta.v1.ObjectMeta spec:2:CSIDriverSpec/required',
    CSIDriverSpec: `
      attachRequired:1:*bool podInfoOnMount:2:*bool volumeLifecycleModes:3:[]string/set storageCapacity:4:*bool
      fsGroupPolicy:5:*string(FSGroupPolicy) tokenRequests:6:[]TokenRequest requiresRepublish:7:*bool
      seLinuxMount:8:*bool nodeAllocatableUpdatePeriodSeconds:9:*int64/since(1.35)
      serviceAccountTokenInSecrets:10:*bool/since(1.35)
    `,
    CSINode: 'metadata:1:meta.v1.ObjectMeta spec:2:CSINodeSpec/required',
    CSINodeDriver: 'name:1:string nodeID:2:string topologyKeys:3:![]string allocatable:4:VolumeNodeResources',
    CSINodeSpec: 'drivers:1:![]CSINodeDriver/merge(name)',
    CSIStorageCapacity: `
      metadata:1:meta.v1.ObjectMeta nodeTopology:2:meta.v1.LabelSelector storageClassName:3:string capacity:4:Quantity
      maximumVolumeSize:5:Quantity
    `,
    StorageClass: `
      metadata:1:meta.v1.ObjectMeta provisioner:2:string parameters:3:{}string
      reclaimPolicy:4:*string(PersistentVolumeReclaimPolicy) mountOptions:5:[]string allowVolumeExpansion:6:*bool
      volumeBindingMode:7:*string(VolumeBindingMode) allowedTopologies:8:[]core.v1.TopologySelectorTerm
    `,
    TokenRequest: 'audience:1:string expirationSeconds:2:*int64',
    VolumeAttachment: `
      metadata:1:meta.v1.ObjectMeta spec:2:VolumeAttachmentSpec/required status:3:VolumeAttachmentStatus
    `,
    VolumeAttachmentSource: 'persistentVolumeName:1:*string inlineVolumeSpec:2:core.v1.PersistentVolumeSpec',
    VolumeAttachmentSpec: 'attacher:1:string source:2:VolumeAttachmentSource/required nodeName:3:string',
    VolumeAttachmentStatus: `
      attached:1:!bool attachmentMetadata:2:{}string attachError:3:VolumeError detachError:4:VolumeError
    `,
    VolumeAttributesClass: 'metadata:1:meta.v1.ObjectMeta driverName:2:string parameters:3:{}string',
    VolumeError: 'time:1:Time message:2:string errorCode:3:*int32/since(1.35)',
    VolumeNodeResources: 'count:1:*int32',
  },
} as const;
