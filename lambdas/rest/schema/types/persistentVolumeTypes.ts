/** core/v1: persistent volumes and claims, pod templates and component statuses, in the notation of parseField.ts. */
export const persistentVolumeTypes = {
  AzureFilePersistentVolumeSource: 'secretName:1:string shareName:2:string readOnly:3:bool secretNamespace:4:*string',
  CSIPersistentVolumeSource: `
    driver:1:string volumeHandle:2:string readOnly:3:bool fsType:4:string volumeAttributes:5:{}string
    controllerPublishSecretRef:6:SecretReference nodeStageSecretRef:7:SecretReference
    nodePublishSecretRef:8:SecretReference controllerExpandSecretRef:9:SecretReference
    nodeExpandSecretRef:10:SecretReference
  `,
  CephFSPersistentVolumeSource: `
    monitors:1:![]string path:2:string user:3:string secretFile:4:string secretRef:5:SecretReference readOnly:6:bool
  `,
  CinderPersistentVolumeSource: 'volumeID:1:string fsType:2:string readOnly:3:bool secretRef:4:SecretReference',
  ComponentCondition: `
    type:1:string(ComponentConditionType) status:2:string(ConditionStatus) message:3:string error:4:string
  `,
  ComponentStatus: 'metadata:1:meta.v1.ObjectMeta conditions:2:[]ComponentCondition/merge(type)',
  FlexPersistentVolumeSource: `
    driver:1:string fsType:2:string secretRef:3:SecretReference readOnly:4:bool options:5:{}string
  `,
  GlusterfsPersistentVolumeSource: 'endpoints:1:string path:2:string readOnly:3:bool endpointsNamespace:4:*string',
  ISCSIPersistentVolumeSource: `
    targetPortal:1:string iqn:2:string lun:3:!int32 iscsiInterface:4:string fsType:5:string readOnly:6:bool
    portals:7:[]string chapAuthDiscovery:8:bool chapAuthSession:11:bool secretRef:10:SecretReference
    initiatorName:12:*string
  `,
  LocalVolumeSource: 'path:1:string fsType:2:*string',
  ModifyVolumeStatus: `
    targetVolumeAttributesClassName:1:string status:2:string(PersistentVolumeClaimModifyVolumeStatus)
  `,
  PersistentVolume: 'metadata:1:meta.v1.ObjectMeta spec:2:PersistentVolumeSpec status:3:PersistentVolumeStatus',
  PersistentVolumeClaim: `
    metadata:1:meta.v1.ObjectMeta spec:2:PersistentVolumeClaimSpec status:3:PersistentVolumeClaimStatus
  `,
  PersistentVolumeClaimCondition: `
    type:1:string(PersistentVolumeClaimConditionType) status:2:string(ConditionStatus) lastProbeTime:3:Time
    lastTransitionTime:4:Time reason:5:string message:6:string
  `,
  PersistentVolumeClaimStatus: `
    phase:1:string(PersistentVolumeClaimPhase) accessModes:2:[]string capacity:3:{}Quantity
    conditions:4:[]PersistentVolumeClaimCondition/merge(type) allocatedResources:5:{}Quantity/since(1.32)
    allocatedResourceStatuses:7:{}string/since(1.32) currentVolumeAttributesClassName:8:*string/since(1.34)
    modifyVolumeStatus:9:ModifyVolumeStatus/since(1.34)
  `,
  PersistentVolumeSource: `
    gcePersistentDisk:1:GCEPersistentDiskVolumeSource awsElasticBlockStore:2:AWSElasticBlockStoreVolumeSource
    hostPath:3:HostPathVolumeSource glusterfs:4:GlusterfsPersistentVolumeSource nfs:5:NFSVolumeSource
    rbd:6:RBDPersistentVolumeSource iscsi:7:ISCSIPersistentVolumeSource cinder:8:CinderPersistentVolumeSource
    cephfs:9:CephFSPersistentVolumeSource fc:10:FCVolumeSource flocker:11:FlockerVolumeSource
    flexVolume:12:FlexPersistentVolumeSource azureFile:13:AzureFilePersistentVolumeSource
    vsphereVolume:14:VsphereVirtualDiskVolumeSource quobyte:15:QuobyteVolumeSource azureDisk:16:AzureDiskVolumeSource
    photonPersistentDisk:17:PhotonPersistentDiskVolumeSource portworxVolume:18:PortworxVolumeSource
    scaleIO:19:ScaleIOPersistentVolumeSource local:20:LocalVolumeSource storageos:21:StorageOSPersistentVolumeSource
    csi:22:CSIPersistentVolumeSource
  `,
  PersistentVolumeSpec: `
    capacity:1:{}Quantity accessModes:3:[]string claimRef:4:ObjectReference
    persistentVolumeReclaimPolicy:5:string(PersistentVolumeReclaimPolicy) storageClassName:6:string
    mountOptions:7:[]string volumeMode:8:*string(PersistentVolumeMode) nodeAffinity:9:VolumeNodeAffinity
    volumeAttributesClassName:10:*string/since(1.34) ...persistentVolumeSource:2:PersistentVolumeSource
  `,
  PersistentVolumeStatus: `
    phase:1:string(PersistentVolumePhase) message:2:string reason:3:string lastPhaseTransitionTime:4:Time
  `,
  PodTemplate: 'metadata:1:meta.v1.ObjectMeta template:2:!PodTemplateSpec',
  RBDPersistentVolumeSource: `
    monitors:1:![]string image:2:string fsType:3:string pool:4:string user:5:string keyring:6:string
    secretRef:7:SecretReference readOnly:8:bool
  `,
  ScaleIOPersistentVolumeSource: `
    gateway:1:string system:2:string secretRef:3:SecretReference sslEnabled:4:bool protectionDomain:5:string
    storagePool:6:string storageMode:7:string volumeName:8:string fsType:9:string readOnly:10:bool
  `,
  SecretReference: '/atomic name:1:string namespace:2:string',
  StorageOSPersistentVolumeSource: `
    volumeName:1:string volumeNamespace:2:string fsType:3:string readOnly:4:bool secretRef:5:ObjectReference
  `,
  TopologySelectorLabelRequirement: 'key:1:string values:2:![]string',
  TopologySelectorTerm: '/atomic matchLabelExpressions:1:[]TopologySelectorLabelRequirement',
  VolumeNodeAffinity: 'required:1:NodeSelector',
} as const;
