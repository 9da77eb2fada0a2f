public import Strata
