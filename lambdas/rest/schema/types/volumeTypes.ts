/** core/v1: volumes, their sources, and the volume claims that a pod can contain, in the notation of parseField.ts. */
export const volumeTypes = {
  AWSElasticBlockStoreVolumeSource: 'volumeID:1:string fsType:2:string partition:3:int32 readOnly:4:bool',
  AzureDiskVolumeSource: `
    diskName:1:string diskURI:2:string cachingMode:3:*string(AzureDataDiskCachingMode) fsType:4:*string readOnly:5:*bool
    kind:6:*string(AzureDataDiskKind)
  `,
  AzureFileVolumeSource: 'secretName:1:string shareName:2:string readOnly:3:bool',
  CSIVolumeSource: `
    driver:1:string readOnly:2:*bool fsType:3:*string volumeAttributes:4:{}string
    nodePublishSecretRef:5:LocalObjectReference
  `,
  CephFSVolumeSource: `
    monitors:1:![]string path:2:string user:3:string secretFile:4:string secretRef:5:LocalObjectReference
    readOnly:6:bool
  `,
  CinderVolumeSource: 'volumeID:1:string fsType:2:string readOnly:3:bool secretRef:4:LocalObjectReference',
  ClusterTrustBundleProjection: `
    name:1:*string signerName:2:*string labelSelector:3:meta.v1.LabelSelector optional:5:*bool path:4:string
  `,
  ConfigMapProjection: '...localObjectReference:1:LocalObjectReference items:2:[]KeyToPath optional:4:*bool',
  ConfigMapVolumeSource: `
    ...localObjectReference:1:LocalObjectReference items:2:[]KeyToPath defaultMode:3:*int32 optional:4:*bool
  `,
  DownwardAPIProjection: 'items:1:[]DownwardAPIVolumeFile',
  DownwardAPIVolumeFile: `
    path:1:string fieldRef:2:ObjectFieldSelector resourceFieldRef:3:ResourceFieldSelector mode:4:*int32
  `,
  DownwardAPIVolumeSource: 'items:1:[]DownwardAPIVolumeFile defaultMode:2:*int32',
  EmptyDirVolumeSource: 'medium:1:string(StorageMedium) sizeLimit:2:Quantity',
  EphemeralVolumeSource: 'volumeClaimTemplate:1:PersistentVolumeClaimTemplate',
  FCVolumeSource: 'targetWWNs:1:[]string lun:2:*int32 fsType:3:string readOnly:4:bool wwids:5:[]string',
  FlexVolumeSource: `
    driver:1:string fsType:2:string secretRef:3:LocalObjectReference readOnly:4:bool options:5:{}string
  `,
  FlockerVolumeSource: 'datasetName:1:string datasetUUID:2:string',
  GCEPersistentDiskVolumeSource: 'pdName:1:string fsType:2:string partition:3:int32 readOnly:4:bool',
  GitRepoVolumeSource: 'repository:1:string revision:2:string directory:3:string',
  GlusterfsVolumeSource: 'endpoints:1:string path:2:string readOnly:3:bool',
  HostPathVolumeSource: 'path:1:string type:2:*string(HostPathType)',
  ISCSIVolumeSource: `
    targetPortal:1:string iqn:2:string lun:3:int32 iscsiInterface:4:string fsType:5:string readOnly:6:bool
    portals:7:[]string chapAuthDiscovery:8:bool chapAuthSession:11:bool secretRef:10:LocalObjectReference
    initiatorName:12:*string
  `,
  ImageVolumeSource: 'reference:1:string pullPolicy:2:string(PullPolicy)',
  ImageVolumeStatus: 'imageRef:1:string',
  KeyToPath: 'key:1:string path:2:string mode:3:*int32',
  NFSVolumeSource: 'server:1:string path:2:string readOnly:3:bool',
  PersistentVolumeClaimSpec: `
    accessModes:1:[]string selector:4:meta.v1.LabelSelector resources:2:!VolumeResourceRequirements volumeName:3:string
    storageClassName:5:*string volumeMode:6:*string(PersistentVolumeMode) dataSource:7:TypedLocalObjectReference
    dataSourceRef:8:TypedObjectReference volumeAttributesClassName:9:*string/since(1.34)
  `,
  PersistentVolumeClaimTemplate: 'metadata:1:!meta.v1.ObjectMeta spec:2:!PersistentVolumeClaimSpec',
  PersistentVolumeClaimVolumeSource: 'claimName:1:string readOnly:2:bool',
  PhotonPersistentDiskVolumeSource: 'pdID:1:string fsType:2:string',
  PortworxVolumeSource: 'volumeID:1:string fsType:2:string readOnly:3:bool',
  ProjectedVolumeSource: 'sources:1:![]VolumeProjection defaultMode:2:*int32',
  QuobyteVolumeSource: 'registry:1:string volume:2:string readOnly:3:bool user:4:string group:5:string tenant:6:string',
  RBDVolumeSource: `
    monitors:1:![]string image:2:string fsType:3:string pool:4:string user:5:string keyring:6:string
    secretRef:7:LocalObjectReference readOnly:8:bool
  `,
  ResourceFieldSelector: '/atomic containerName:1:string resource:2:string divisor:3:Quantity',
  ScaleIOVolumeSource: `
    gateway:1:string system:2:string secretRef:3:LocalObjectReference sslEnabled:4:bool protectionDomain:5:string
    storagePool:6:string storageMode:7:string volumeName:8:string fsType:9:string readOnly:10:bool
  `,
  SecretProjection: '...localObjectReference:1:LocalObjectReference items:2:[]KeyToPath optional:4:*bool',
  SecretVolumeSource: 'secretName:1:string items:2:[]KeyToPath defaultMode:3:*int32 optional:4:*bool',
  ServiceAccountTokenProjection: 'audience:1:string expirationSeconds:2:*int64 path:3:string',
  StorageOSVolumeSource: `
    volumeName:1:string volumeNamespace:2:string fsType:3:string readOnly:4:bool secretRef:5:LocalObjectReference
  `,
  TypedLocalObjectReference: '/atomic apiGroup:1:*string kind:2:string name:3:string',
  TypedObjectReference: 'apiGroup:1:*string kind:2:string name:3:string namespace:4:*string',
  Volume: 'name:1:string ...volumeSource:2:VolumeSource',
  VolumeProjection: `
    secret:1:SecretProjection downwardAPI:2:DownwardAPIProjection configMap:3:ConfigMapProjection
    serviceAccountToken:4:ServiceAccountTokenProjection clusterTrustBundle:5:ClusterTrustBundleProjection
  `,
  VolumeResourceRequirements: 'limits:1:{}Quantity requests:2:{}Quantity',
  VolumeSource: `
    hostPath:1:HostPathVolumeSource emptyDir:2:EmptyDirVolumeSource gcePersistentDisk:3:GCEPersistentDiskVolumeSource
    awsElasticBlockStore:4:AWSElasticBlockStoreVolumeSource gitRepo:5:GitRepoVolumeSource secret:6:SecretVolumeSource
    nfs:7:NFSVolumeSource iscsi:8:ISCSIVolumeSource glusterfs:9:GlusterfsVolumeSource
    persistentVolumeClaim:10:PersistentVolumeClaimVolumeSource rbd:11:RBDVolumeSource flexVolume:12:FlexVolumeSource
    cinder:13:CinderVolumeSource cephfs:14:CephFSVolumeSource flocker:15:FlockerVolumeSource
    downwardAPI:16:DownwardAPIVolumeSource fc:17:FCVolumeSource azureFile:18:AzureFileVolumeSource
    configMap:19:ConfigMapVolumeSource vsphereVolume:20:VsphereVirtualDiskVolumeSource quobyte:21:QuobyteVolumeSource
    azureDisk:22:AzureDiskVolumeSource photonPersistentDisk:23:PhotonPersistentDiskVolumeSource
    projected:26:ProjectedVolumeSource portworxVolume:24:PortworxVolumeSource scaleIO:25:ScaleIOVolumeSource
    storageos:27:StorageOSVolumeSource csi:28:CSIVolumeSource ephemeral:29:EphemeralVolumeSource
    image:30:ImageVolumeSource/since(1.35)
  `,
  VsphereVirtualDiskVolumeSource: `
    volumePath:1:string fsType:2:string storagePolicyName:3:string storagePolicyID:4:string
  `,
} as const;
