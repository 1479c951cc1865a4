// write_gpu_cases FOLDER: writes the files of tests/golden/gpu anew, from the reference backend as it is.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/gpu/gpu_cases.h"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("write_gpu_cases FOLDER, such as tests/golden/gpu\n", stderr);
        return EXIT_FAILURE;
    }
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    for (const auto& old : std::filesystem::directory_iterator(folder)) {
        if (old.path().extension() == ".frames") {
            std::filesystem::remove(old);
        }
    }
    for (const auto& [name, frames] : phaseladder::tests::gpuCases()) {
        std::ofstream file(folder / (name + ".frames"), std::ios::binary);
        for (const phaseladder::gpu::Bytes& frame : frames) {
            file.write(reinterpret_cast<const char*>(frame.data()),
                       static_cast<std::streamsize>(frame.size()));
        }
        if (!file.flush()) {
            std::fprintf(stderr, "%s cannot be written\n", name.c_str());
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
