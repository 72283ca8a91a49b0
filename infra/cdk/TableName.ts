export type TableName = 'objects' | 'versions' | 'namespaces' | 'log' | 'keys';
