"""The data files that studies can use: their content, their source, and the checksum of their content."""

from dataclasses import dataclass

from experiments.engine.names import unknown

__all__ = ["CATALOGUE", "DataFile", "entry"]


@dataclass(frozen=True)
class DataFile:
    """One file of the data folder.

    Attributes:
        name: the file's name.
        content: a description of its content.
        source: its source and licence.
        digest: SHA-256 of its content (`experiments.data.formats`).
        columns: of the table, the target last; columns before them (an identifier) are ignored. 0 for arrays.
        urls: public addresses that are tried in turn; "openml:54" is data set 54 of OpenML. "A B" are two files that
            make one. None where there is no public address.
    """

    name: str
    content: str
    source: str
    digest: str
    columns: int = 0
    urls: tuple[str, ...] = ()

    @property
    def is_table(self) -> bool:
        """True for a table, False for named arrays."""
        return self.columns > 0


_UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"
_MNIST = "https://ossci-datasets.s3.amazonaws.com/mnist"

_FILES = (
    DataFile(
        "cal_housing.csv",
        "20,640 census blocks, target median house value",
        "California Housing (Pace & Barry 1997), StatLib; scikit-learn's fetch_california_housing",
        "f75d11b74a688b2af70c58cfaeb17fefad56eb95fe98f6d081d740bd53a78f1c",
        9,
        ("https://ndownloader.figshare.com/files/5976036",),
    ),
    DataFile(
        "winequality-red.csv",
        "1,599 red wines, 11 measurements, target quality",
        "Wine Quality (Cortez et al. 2009), UCI (CC BY 4.0); OpenML 40691",
        "65e91c41558aebcc94d9641d73ee022e3b638328838fdaa8ea21413c1de105fd",
        12,
        (f"{_UCI}/wine-quality/winequality-red.csv", "openml:40691"),
    ),
    DataFile(
        "winequality-white.csv",
        "4,898 white wines, 11 measurements, target quality",
        "Wine Quality (Cortez et al. 2009), UCI (CC BY 4.0)",
        "f9362bcd5deb16db2074bb14308ec1bbf3f17643b5bce1e9f8ceb11d2818d29c",
        12,
        (f"{_UCI}/wine-quality/winequality-white.csv",),
    ),
    DataFile(
        "vehicle.csv",
        "846 vehicle silhouettes, 18 shape measurements, 4 classes",
        "Vehicle Silhouettes (Siebert 1987), UCI; OpenML 54",
        "f857d1aabc2beccc750f88d169f063d78c3723b0c7f876b24145ab0e6c872c3f",
        19,
        ("openml:54",),
    ),
    DataFile(
        "kc1.csv",
        "2,109 software modules, 21 code measures, defective or not",
        "KC1 (NASA, PROMISE repository); OpenML 1067",
        "5a7ece7349e30fc651c401c430a7fdd9295677f8a072a98e339fd9c2f60978b5",
        22,
        ("openml:1067",),
    ),
    DataFile(
        "australian.dat",
        "690 credit applications, 14 attributes, approved or not",
        "Australian Credit Approval, UCI (CC BY 4.0); OpenML 40981",
        "2c55385f660a6973dc78e3519780d1bef0fc1c554ca615ff65ab4d04db221828",
        15,
        (f"{_UCI}/statlog/australian/australian.dat", "openml:40981"),
    ),
    DataFile(
        "wilt.csv",
        "4,839 image segments, 5 spectral measurements, diseased trees or not",
        "Wilt (Johnson et al. 2013), UCI (CC BY 4.0); OpenML 40983",
        "145862328bd0184387154035f774100ba428020b7e2c6c15e315fe9b34127cac",
        6,
        ("openml:40983",),
    ),
    DataFile(
        "mnist_test.npz",
        "the 10,000 test images x (n, 784) and labels y of MNIST",
        "MNIST (LeCun et al. 1998), CC BY-SA 3.0; OpenML 554",
        "8ccc486add0196d583937d9ad64b384adc06f59b4ac2affc9cfda271be5b2d71",
        urls=(f"{_MNIST}/t10k-images-idx3-ubyte.gz {_MNIST}/t10k-labels-idx1-ubyte.gz",),
    ),
    DataFile(
        "portfolio_evaluations.npz",
        "3,000 simulated portfolio returns: x (n, 5) in the unit cube, y (n,)",
        "Cakmak et al. (2020); they come with the public code of Paper C, https://github.com/lamda-bbo/sbokde (MIT)",
        "fa9ad51deecd65a3340df75b07189d38191f72593bfd92f8bbc4f86bd14b46d5",
    ),
    DataFile(
        "sprinkler_reference.csv",
        "inputs and outputs of the reference garden sprinkler model",
        "computed with the R package CompModels",
        "aec0f5010580589c0bd7cabe46fd9bae6f4e5c2ce29c540a1282228e74db42bb",
        11,
    ),
)

CATALOGUE: dict[str, DataFile] = {file.name: file for file in _FILES}


def entry(name: str) -> DataFile:
    """The catalogue's entry of that name; KeyError, naming near ones, where there is none."""
    if name not in CATALOGUE:
        raise KeyError(unknown("data file", name, CATALOGUE))
    return CATALOGUE[name]
