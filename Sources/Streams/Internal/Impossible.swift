/// Turns an error that cannot occur into any type.
@inlinable
func impossible<T>(_ never: Never) -> T {}
