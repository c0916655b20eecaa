// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Flow",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Flow", targets: ["Flow"]),
    .library(name: "FlowTesting", targets: ["FlowTesting"]),
    .library(name: "Pipeline", targets: ["Pipeline"]),
    .library(name: "PipelineRedis", targets: ["PipelineRedis"]),
    .executable(name: "demo", targets: ["Demo"]),
  ],
  targets: [
    // C libraries, as Debian and Homebrew ship them.
    .systemLibrary(
      name: "CCurl", path: "Sources/CLibraries/CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CJPEG", path: "Sources/CLibraries/CJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg62-turbo-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CPNG", path: "Sources/CLibraries/CPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CGIF", path: "Sources/CLibraries/CGIF",
      providers: [.apt(["libgif-dev"]), .brew(["giflib"])]),
    .systemLibrary(
      name: "CWebP", path: "Sources/CLibraries/CWebP", pkgConfig: "libwebp",
      providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    .systemLibrary(
      name: "CLCMS", path: "Sources/CLibraries/CLCMS", pkgConfig: "lcms2",
      providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
    .systemLibrary(
      name: "CHiredis", path: "Sources/CLibraries/CHiredis",
      providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
    .systemLibrary(
      name: "CMicroHTTPD", path: "Sources/CLibraries/CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),

    // Shims: only what Swift cannot call (variadic functions, longjmp).
    .target(name: "CCurlShims", dependencies: ["CCurl"], path: "Sources/CLibraries/CCurlShims"),
    .target(name: "CJPEGShims", dependencies: ["CJPEG"], path: "Sources/CLibraries/CJPEGShims"),
    .target(name: "CPNGShims", dependencies: ["CPNG"], path: "Sources/CLibraries/CPNGShims"),
    .target(
      name: "CMicroHTTPDShims", dependencies: ["CMicroHTTPD"],
      path: "Sources/CLibraries/CMicroHTTPDShims"),

    // Inner loops over pixels, compiled for several instruction sets.
    .target(name: "CPixelShims", path: "Sources/CLibraries/CPixelShims"),
    // The inner loop over bytes of the disk cache, the same.
    .target(name: "CChecksumShims", path: "Sources/CLibraries/CChecksumShims"),

    // Publishers and subscribers; knows nothing of images.
    .target(name: "Flow", path: "Sources/Streams"),
    // Virtual time, marble strings, recording subscribers: for users' tests and ours.
    .target(name: "FlowTesting", dependencies: ["Flow"]),
    // One image load as a chain of Flow operators.
    .target(
      name: "Pipeline",
      dependencies: [
        "Flow", "CCurl", "CCurlShims", "CJPEG", "CJPEGShims", "CPNG", "CPNGShims", "CGIF", "CWebP",
        "CLCMS", "CPixelShims", "CChecksumShims",
      ]),
    // A cache tier that several machines share; a product of its own, so that nobody else links it.
    .target(name: "PipelineRedis", dependencies: ["Pipeline", "CHiredis"]),
    // The command line program; uses only what is public.
    .executableTarget(
      name: "Demo",
      dependencies: [
        "Pipeline", "Flow", "CMicroHTTPD", "CMicroHTTPDShims", "ThreadSanitizerShims",
      ]),

    // Figures, as ratios measured in one run.
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Flow", "Pipeline", "CJPEG", "CJPEGShims", "CPNG", "CPNGShims", "CGIF", "CWebP",
        "AllocationShims", "Thumbnail",
      ],
      path: "Benchmarks", exclude: ["AllocationShims", "Thumbnail"]),
    // A thumbnail of a file: a program to measure against others.
    .executableTarget(name: "Thumbnail", dependencies: ["Pipeline"], path: "Benchmarks/Thumbnail"),
    // Counts the blocks of memory that a benchmark asks for.
    .target(name: "AllocationShims", path: "Benchmarks/AllocationShims"),

    // The pages of the playgrounds, each a program; what they print is checked.
    .executableTarget(
      name: "PageFirstSteps", dependencies: ["Flow"],
      path: "Playgrounds/Streams.playground/Pages/FirstSteps.xcplaygroundpage",
      exclude: ["Expected.txt"]),
    .executableTarget(
      name: "PageSharing", dependencies: ["Flow"],
      path: "Playgrounds/Streams.playground/Pages/Sharing.xcplaygroundpage",
      exclude: ["Expected.txt"]),
    .executableTarget(
      name: "PageVirtualTime", dependencies: ["Flow", "FlowTesting"],
      path: "Playgrounds/Streams.playground/Pages/VirtualTime.xcplaygroundpage",
      exclude: ["Expected.txt"]),
    .executableTarget(
      name: "PageBackpressure", dependencies: ["Flow"],
      path: "Playgrounds/Streams.playground/Pages/Backpressure.xcplaygroundpage",
      exclude: ["Expected.txt"]),
    .executableTarget(
      name: "PageFirstLoad", dependencies: ["Flow", "Pipeline"],
      path: "Playgrounds/Pipeline.playground/Pages/FirstLoad.xcplaygroundpage",
      exclude: ["Expected.txt"]),
    .executableTarget(
      name: "PageOwnChain", dependencies: ["Flow", "Pipeline"],
      path: "Playgrounds/Pipeline.playground/Pages/OwnChain.xcplaygroundpage",
      exclude: ["Expected.txt"]),
    .executableTarget(
      name: "PagePrefetchAndSlot", dependencies: ["Flow", "Pipeline"],
      path: "Playgrounds/Pipeline.playground/Pages/PrefetchAndSlot.xcplaygroundpage",
      exclude: ["Expected.txt"]),
    .executableTarget(
      name: "PageOwnDecoder", dependencies: ["Flow", "Pipeline"],
      path: "Playgrounds/Pipeline.playground/Pages/OwnDecoder.xcplaygroundpage",
      exclude: ["Expected.txt"]),
    .executableTarget(
      name: "PageOwnTransform", dependencies: ["Flow", "Pipeline"],
      path: "Playgrounds/Pipeline.playground/Pages/OwnTransform.xcplaygroundpage",
      exclude: ["Expected.txt"]),

    // Faults of the disk cache that need processes of their own.
    .executableTarget(name: "CacheFaults", dependencies: ["Pipeline"], path: "Tests/CacheFaults"),

    // One load through a shared tier, in a process of its own.
    .executableTarget(
      name: "RedisLoad", dependencies: ["Pipeline", "PipelineRedis", "ThreadSanitizerShims"],
      path: "Tests/RedisLoad"),

    // Tests.
    // Lets the thread sanitizer see the standard library's mutex; empty in every other build.
    .target(name: "ThreadSanitizerShims", path: "Tests/ThreadSanitizerShims"),
    .target(
      name: "TestSupport",
      dependencies: ["Flow", "FlowTesting", "Pipeline", "ThreadSanitizerShims"],
      path: "Tests/Support"),
    .testTarget(name: "FlowTests", dependencies: ["Flow", "FlowTesting", "ThreadSanitizerShims"]),
    // A file written against Combine, with its import changed.
    .testTarget(name: "CombineSampleTests", dependencies: ["Flow"]),
    .testTarget(
      name: "PipelineTests",
      dependencies: ["Pipeline", "Flow", "FlowTesting", "TestSupport", "CWebP"]),
    .testTarget(
      name: "PipelineRedisTests",
      dependencies: ["PipelineRedis", "Pipeline", "Flow", "RedisLoad", "TestSupport"]),
    .testTarget(name: "DemoTests", dependencies: ["Demo", "Pipeline", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
