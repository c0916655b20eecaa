@_exported import Flow
