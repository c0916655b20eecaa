// What the examples in FlowTesting's documentation speak of without showing it.
import Flow
import FlowTesting
